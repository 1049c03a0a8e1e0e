import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import type { Address, Hex } from '../../src/domain/hex.ts';
import type { Code } from './chain.ts';
import { PACKAGES_FOLDER, PINS, type Pin, unpackPackage } from './packages.ts';

/** Contracts that one compiler run compiles together. */
interface Build {
  /** The pinned compiler. Default: the installed one. */
  readonly solc?: Pin;
  /** Packages that the sources import, by import name. */
  readonly packages: readonly Pin[];
  /** The source files with the required contracts. */
  readonly files: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
}

const BUILDS = {
  chainlink: {
    solc: 'solc@0.6.6',
    packages: ['@chainlink/contracts@0.8.0'],
    files: [
      '@chainlink/contracts/src/v0.6/EACAggregatorProxy.sol',
      '@chainlink/contracts/src/v0.6/FluxAggregator.sol',
    ],
  },
  gearbox: {
    packages: [
      '@gearbox-protocol/core-v3@1.52.1',
      '@openzeppelin/contracts@4.9.6',
      '@1inch/solidity-utils@2.2.27',
    ],
    files: [
      '@gearbox-protocol/core-v3/contracts/pool/LinearInterestRateModelV3.sol',
      '@gearbox-protocol/core-v3/contracts/pool/PoolV3.sol',
    ],
  },
  morpho: {
    solc: 'solc@0.8.19',
    packages: ['@morpho-org/morpho-blue@1.0.0'],
    files: [
      '@morpho-org/morpho-blue/src/Morpho.sol',
      '@morpho-org/morpho-blue/src/mocks/IrmMock.sol',
      '@morpho-org/morpho-blue/src/mocks/OracleMock.sol',
    ],
  },
  symbiotic: {
    solc: 'solc@0.8.25',
    packages: [
      '@symbioticfi/core@1.0.3',
      '@openzeppelin/contracts@5.0.2',
      '@openzeppelin/contracts-upgradeable@5.0.2',
    ],
    files: [
      '@symbioticfi/core/src/contracts/VaultFactory.sol',
      '@symbioticfi/core/src/contracts/vault/Vault.sol',
      '@symbioticfi/core/src/contracts/vault/VaultTokenized.sol',
    ],
    // No test depends on the gas of these contracts, and they compile much faster without the optimizer.
    settings: { optimizer: { enabled: false } },
  },
  solmate: {
    packages: ['solmate@6.8.0'],
    files: [
      'solmate/src/test/utils/mocks/MockERC20.sol',
      'solmate/src/test/utils/mocks/MockERC4626.sol',
    ],
  },
} satisfies Record<string, Build>;

const SCRIPT = fileURLToPath(new URL('./compilePackage.mjs', import.meta.url));
const SETTINGS = { optimizer: { enabled: true, runs: 200 } };
/** The installed compiler is newer than the local chains and would emit instructions that they do not support. */
const INSTALLED_SETTINGS = { ...SETTINGS, evmVersion: 'cancun' };
const compiled = new Map<string, Promise<Readonly<Record<string, Code>>>>();

/** Long enough for a slow network or a busy machine. */
const PREPARE_MS = 600_000;

/** Fetches packages and compiles builds before the tests of a suite, so that these keep their usual timeout. */
export function usePackages(...names: readonly (keyof typeof BUILDS | Pin)[]): void {
  beforeAll(async () => {
    for (const name of names) {
      await (name in BUILDS ? loadBuild(name as keyof typeof BUILDS) : unpackPackage(name as Pin));
    }
  }, PREPARE_MS);
}

export async function packageCompiled(build: keyof typeof BUILDS, name: string): Promise<Code> {
  const found = (await loadBuild(build))[name];
  if (found === undefined) throw new Error(`no contract ${name} in the build ${build}`);
  return found;
}

function loadBuild(name: keyof typeof BUILDS): Promise<Readonly<Record<string, Code>>> {
  const contracts = compiled.get(name) ?? compileBuild(name, BUILDS[name]);
  compiled.set(name, contracts);
  return contracts;
}

/**
 * Returns a contract that the package ships compiled: in a JSON file, or in a module of constants, which is parsed and
 * never executed.
 */
export async function packageArtifact(pin: Pin, path: string): Promise<Code> {
  const content = await readFile(join(await unpackPackage(pin), path), 'utf8');
  if (path.endsWith('.json')) {
    const { abi, bytecode } = JSON.parse(content) as Code;
    return { abi, bytecode };
  }
  const [, abi, bytecode] = /abi: (\[.*?\n {4}\]),\n {4}bytecode: '(0x[^']+)'/s.exec(content)!;
  return { abi: JSON.parse(abi!), bytecode: bytecode as Hex };
}

/** Links code that uses a single library. */
export function linkLibrary({ abi, bytecode }: Code, library: Address): Code {
  return { abi, bytecode: bytecode.replaceAll(/__\$\w{34}\$__/g, library.slice(2)) as Hex };
}

async function compileBuild(name: string, build: Build): Promise<Readonly<Record<string, Code>>> {
  const { solc, packages, files } = build;
  const settings = { ...(solc === undefined ? INSTALLED_SETTINGS : SETTINGS), ...build.settings };
  const require = createRequire(import.meta.url);
  const version = solc ?? (require('solc/package.json') as { version: string }).version;
  const hashes = packages.map((pin) => PINS[pin]);
  const key = createHash('sha256')
    .update(JSON.stringify([version, hashes, files, settings, await readFile(SCRIPT, 'utf8')]))
    .digest('hex')
    .slice(0, 16);
  const file = join(PACKAGES_FOLDER, 'compiled', `${name}-${key}.json`);
  const cached = await readFile(file, 'utf8').catch(() => undefined);
  if (cached !== undefined) return JSON.parse(cached);
  const roots = await Promise.all(
    packages.map(async (pin) => [pin.slice(0, pin.lastIndexOf('@')), await unpackPackage(pin)]),
  );
  const soljson = solc === undefined ? null : join(await unpackPackage(solc), 'soljson.js');
  const output = await compile({ soljson, roots, files, settings });
  await mkdir(join(PACKAGES_FOLDER, 'compiled'), { recursive: true });
  // Processes can compile at the same time: each writes its own file, and the last rename wins.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, output);
  await rename(draft, file);
  return JSON.parse(output);
}

async function compile(job: object): Promise<string> {
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify(job));
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  if (code !== 0) throw new Error(`the package does not compile: ${errors}`);
  return output;
}
