import { type Address, lower } from '../domain/hex.ts';
import type { FlagValues } from './flags.ts';
import { UsageError } from './usageError.ts';

export interface InitArguments {
  readonly command: 'init';
  readonly chains: readonly { readonly chainId: number | null; readonly url: string }[];
  /** `chain` is an id or a name; null: wherever it stands. */
  readonly vaults: readonly { readonly chain: string | null; readonly address: Address }[];
  readonly feeds: readonly {
    readonly name: string;
    readonly chain: string;
    readonly address: Address;
  }[];
  /** Overwrite without asking. */
  readonly yes: boolean;
}

const ADDRESS = /^(?:([a-z0-9-]+):)?(0x[0-9a-f]{40})$/i;

export function readInit(flags: FlagValues): InitArguments {
  const chains = [
    ...values(flags, 'chain').map((text) => {
      const [, id, url] = /^(\d{1,15})=(.*)$/.exec(text) ?? [];
      if (id === undefined || Number(id) === 0) {
        throw new UsageError('--chain must be an id and a URL, such as 8453=https://…; correct it');
      }
      return { chainId: Number(id), url: rpcUrl(url!, 'chain') };
    }),
    ...values(flags, 'rpc').map((text) => ({ chainId: null, url: rpcUrl(text, 'rpc') })),
  ];
  if (chains.length === 0) {
    throw new UsageError('init needs a node to ask; add --rpc URL or --chain ID=URL');
  }
  const vaults = values(flags, 'vault').map((text) => {
    const [, chain, address] = ADDRESS.exec(text) ?? [];
    if (address === undefined) throw new UsageError(`--vault ${wanted('[CHAIN:]', text)}`);
    return { chain: chain?.toLowerCase() ?? null, address: lower(address) };
  });
  if (vaults.length === 0) throw new UsageError('init needs a vault; add --vault [CHAIN:]ADDRESS');
  return { command: 'init', chains, vaults, feeds: readFeeds(flags), yes: flags.has('yes') };
}

function readFeeds(flags: FlagValues): InitArguments['feeds'] {
  const feeds = values(flags, 'feed').map((text) => {
    const [, name, rest = ''] = /^([a-z0-9][a-z0-9-]*)=(.*)$/.exec(text) ?? [];
    const [, chain, address] = ADDRESS.exec(rest) ?? [];
    if (name === undefined || chain === undefined || address === undefined) {
      throw new UsageError(`--feed ${wanted('NAME=CHAIN:', text)}`);
    }
    return { name, chain: chain.toLowerCase(), address: lower(address) };
  });
  const twice = feeds.find(({ name }, i) => feeds.findIndex((one) => one.name === name) !== i);
  if (twice !== undefined) throw new UsageError(`--feed ${twice.name} is given twice; keep one`);
  return feeds;
}

function wanted(before: string, text: string): string {
  return `must be ${before}ADDRESS, with 0x and 40 digits; ${JSON.stringify(text)} is not`;
}

function values(flags: FlagValues, name: string): string[] {
  return flags.get(name)?.split('\n') ?? [];
}

/** Never repeated in a message: it may hold a key. */
function rpcUrl(text: string, flag: string): string {
  if (/^https?:\/\/\S+$/.test(text) && URL.canParse(text)) return text;
  throw new UsageError(`--${flag} needs a URL that starts with http:// or https://; correct it`);
}
