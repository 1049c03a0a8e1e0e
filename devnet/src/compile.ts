import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';

export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}

export type Artifacts = Readonly<Record<string, Artifact>>;

interface Cache {
  readonly key: string;
  readonly artifacts: Artifacts;
}

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<
    string,
    Record<string, { abi: Abi; evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }>
  >;
}

export class CompileError extends Error {
  override readonly name = 'CompileError';
}

// Works from src/ and from dist/: both are one level below the package.
const CONTRACTS = fileURLToPath(new URL('../contracts/', import.meta.url));
const CACHE = fileURLToPath(new URL('../dist/artifacts.json', import.meta.url));
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 1_000_000 },
  // No metadata hash, so that comments and paths do not change the code.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};

let loaded: Promise<Artifacts> | undefined;

/** Returns the compiled contracts by name. Compiles once per source change, then reads a file. */
export function loadArtifacts(): Promise<Artifacts> {
  loaded ??= compileFolder(CONTRACTS, CACHE);
  return loaded;
}

/** Does the same for another source folder, whose path ends with a slash. */
export async function compileFolder(folder: string, cache: string): Promise<Artifacts> {
  const sources = await readSources(folder);
  const require = createRequire(import.meta.url);
  const versions = ['solc', '@openzeppelin/contracts'].map(
    (name) => (require(`${name}/package.json`) as { version: string }).version,
  );
  const key = createHash('sha256')
    .update(JSON.stringify([versions, SETTINGS, sources]))
    .digest('hex');
  const cached = await readCache(cache);
  if (cached?.key === key) return cached.artifacts;
  const artifacts = compile(sources, require);
  await mkdir(dirname(cache), { recursive: true });
  // Several processes can compile concurrently: each writes its own file, and the last rename wins.
  const draft = `${cache}.${process.pid}`;
  await writeFile(draft, JSON.stringify({ key, artifacts } satisfies Cache));
  await rename(draft, cache);
  return artifacts;
}

async function readSources(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sol')).sort();
  const texts = await Promise.all(names.map((name) => readFile(folder + name, 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index]!]));
}

async function readCache(cache: string): Promise<Cache | undefined> {
  try {
    return JSON.parse(await readFile(cache, 'utf8')) as Cache;
  } catch {
    return undefined;
  }
}

function compile(sources: Record<string, string>, require: NodeJS.Require): Artifacts {
  const solc = require('solc') as {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
  };
  const { readFileSync } = require('node:fs') as typeof import('node:fs');
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, content]) => [name, { content }]),
    ),
    settings: SETTINGS,
  };
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import: (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') }),
    }),
  ) as SolcOutput;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw new CompileError(errors.map((error) => error.formattedMessage).join('\n'));
  }
  const artifacts: Record<string, Artifact> = {};
  for (const file of Object.keys(sources)) {
    for (const [name, contract] of Object.entries(output.contracts[file] ?? {})) {
      artifacts[name] = {
        abi: contract.abi,
        bytecode: `0x${contract.evm.bytecode.object}`,
        deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
      };
    }
  }
  return artifacts;
}
