import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { confirm } from '../cli/confirm.ts';
import type { FlagValues } from '../cli/flags.ts';
import { UsageError } from '../cli/usageError.ts';
import { type Address, lower } from '../domain/hex.ts';
import { docsFile } from '../http/docs/docsFile.ts';
import { draftConfig } from '../init/init.ts';
import { InitRefused } from '../init/initRefused.ts';
import { defineCommand, type Terminal } from './command.ts';

interface InitArguments {
  readonly chains: readonly { readonly chainId: number | null; readonly url: string }[];
  /** `chain` is an id or a name; null: search every chain. */
  readonly vaults: readonly { readonly chain: string | null; readonly address: Address }[];
  readonly feeds: readonly {
    readonly name: string;
    readonly chain: string;
    readonly address: Address;
  }[];
  /** The preset of every vault; absent: detected from the contracts. */
  readonly preset?: string;
  /** Overwrite without confirmation. */
  readonly yes: boolean;
}

const ADDRESS = /^(?:([a-z0-9-]+):)?(0x[0-9a-f]{40})$/i;

export const command = defineCommand<InitArguments>({
  usage: 'assay init --rpc URL [...] --vault [CHAIN:]ADDRESS [...] [flags]',
  details: [
    'Reads the contracts to detect the vault kind (also behind proxies), asset, share token, first block, oracle, custody accounts, and allocator.',
    'Prints what it found and what you still need to fill in. Searches every chain for a vault unless you name its chain.',
    'Vaults of one product on several chains, or over one share token, become one family.',
    'A URL that contains a key is not written: the file names an environment variable.',
  ].join(' '),
  examples: [
    'assay init --rpc https://rpc.example --vault 0x1… --feed usdc-usd=base:0x3…',
    'assay init --chain 1=http://127.0.0.1:8545 --vault 1:0x111…',
  ],
  flags: {
    config: { value: 'FILE', text: 'File to write (default assay.yaml)' },
    rpc: {
      value: 'URL',
      text: 'RPC URL of any chain; repeatable',
      repeated: true,
    },
    chain: {
      value: 'ID=URL',
      text: 'RPC URL that must be of this chain; repeatable',
      repeated: true,
    },
    vault: {
      value: '[CHAIN:]ADDRESS',
      text: 'Vault address; repeatable',
      repeated: true,
    },
    feed: {
      value: 'NAME=CHAIN:ADDRESS',
      text: 'USD price feed; repeatable',
      repeated: true,
    },
    preset: { value: 'NAME', text: 'Preset of every vault, for tokens that cannot be detected' },
    yes: { text: 'Overwrite an existing file without confirmation' },
  },
  read,
  run,
});

/** `assay init`: detects the vaults, reports what it found, and writes the file. */
async function run(line: InitArguments, terminal: Terminal): Promise<number> {
  const { config: file } = terminal;
  const exists = existsSync(file);
  if (exists && statSync(file).isDirectory()) {
    const inside = join(file, 'vaults.yaml');
    throw new InitRefused(`${file} is a folder; name a file in it, such as --config ${inside}`);
  }
  if (exists && !line.yes) {
    if (!terminal.input.isTTY) {
      throw new InitRefused(
        `${file} exists already; name another with --config, or overwrite it with --yes`,
      );
    }
    const question = `${file} exists already. Overwrite it?`;
    if (!(await confirm(question, terminal))) throw new InitRefused(`${file} was not changed`);
  }
  const schema = relative(dirname(resolve(file)), fileURLToPath(docsFile('assay.schema.json')))
    .split(sep)
    .join('/');
  const { text, lines } = await draftConfig(line, { file, schema });
  for (const { mark, text: words } of lines) terminal.print(`${mark.padEnd(7)} ${words}`);
  try {
    // The file may have been created while the chains were read; that was not confirmed.
    writeFileSync(file, text, { flag: exists ? 'w' : 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InitRefused(`${file} cannot be written (${code}); name another with --config`);
  }
  terminal.print(`wrote ${file}; next: assay check --config ${file}`);
  return 0;
}

function read(flags: FlagValues): InitArguments {
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
    throw new UsageError('init needs an RPC endpoint; add --rpc URL or --chain ID=URL');
  }
  const vaults = values(flags, 'vault').map((text) => {
    const [, chain, address] = ADDRESS.exec(text) ?? [];
    if (address === undefined) throw new UsageError(`--vault ${wanted('[CHAIN:]', text)}`);
    return { chain: chain?.toLowerCase() ?? null, address: lower(address) };
  });
  if (vaults.length === 0) throw new UsageError('init needs a vault; add --vault [CHAIN:]ADDRESS');
  const preset = flags.get('preset');
  return {
    chains,
    vaults,
    feeds: readFeeds(flags),
    ...(preset !== undefined && { preset }),
    yes: flags.has('yes'),
  };
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

/** Never repeats the URL in a message: it may contain a key. */
function rpcUrl(text: string, flag: string): string {
  if (/^https?:\/\/\S+$/.test(text) && URL.canParse(text)) return text;
  throw new UsageError(`--${flag} needs a URL that starts with http:// or https://; correct it`);
}
