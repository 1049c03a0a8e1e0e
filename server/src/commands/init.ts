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

export const command = defineCommand<InitArguments>({
  usage: 'assay init --rpc URL [...] --vault [CHAIN:]ADDRESS [...] [flags]',
  details: [
    'Asks the contracts what they are: kind (through proxies), asset, share, first block, oracle, custody, allocator.',
    'Each thing found is a line, and so is each that is left to fill in. A vault is looked for on every chain unless',
    'its chain is named; the same vault on several chains becomes one family, and so do vaults over one share token.',
    'A URL that carries a key is not written down: the file then names an environment variable.',
  ].join('\n'),
  examples: [
    'assay init --rpc https://mainnet.base.org --vault 0x1… --feed usdc-usd=base:0x3…',
    'assay init --chain 1=http://127.0.0.1:8545 --vault 1:0x111…',
  ],
  flags: {
    config: { value: 'FILE', text: 'the file to write (default assay.yaml)' },
    rpc: {
      value: 'URL',
      text: 'a node; it says of which chain. May be repeated',
      repeated: true,
    },
    chain: {
      value: 'ID=URL',
      text: 'a node that must be of this chain; may be repeated',
      repeated: true,
    },
    vault: {
      value: '[CHAIN:]ADDRESS',
      text: 'a vault, wherever it stands; may be repeated',
      repeated: true,
    },
    feed: {
      value: 'NAME=CHAIN:ADDRESS',
      text: 'a USD price feed; may be repeated',
      repeated: true,
    },
    yes: { text: 'overwrite an existing file without asking' },
  },
  read,
  run,
});

/** `assay init`: finds out, says what it found, and writes the file. */
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
    if (!(await confirm(question, terminal))) throw new InitRefused(`${file} was left as it is`);
  }
  const schema = relative(dirname(resolve(file)), fileURLToPath(docsFile('assay.schema.json')))
    .split(sep)
    .join('/');
  const { text, lines } = await draftConfig(line, { file, schema });
  for (const { mark, text: words } of lines) terminal.print(`${mark.padEnd(7)} ${words}`);
  try {
    // A file that came while the chains were read was not asked about.
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
    throw new UsageError('init needs a node to ask; add --rpc URL or --chain ID=URL');
  }
  const vaults = values(flags, 'vault').map((text) => {
    const [, chain, address] = ADDRESS.exec(text) ?? [];
    if (address === undefined) throw new UsageError(`--vault ${wanted('[CHAIN:]', text)}`);
    return { chain: chain?.toLowerCase() ?? null, address: lower(address) };
  });
  if (vaults.length === 0) throw new UsageError('init needs a vault; add --vault [CHAIN:]ADDRESS');
  return { chains, vaults, feeds: readFeeds(flags), yes: flags.has('yes') };
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
