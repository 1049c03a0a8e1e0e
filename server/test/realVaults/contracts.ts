import { fileURLToPath } from 'node:url';
import { type Abi, encodeFunctionData } from 'viem';
import { type Artifacts, compileFolder } from '../../../devnet/src/index.ts';
import type { Address, Hex } from '../../src/domain/hex.ts';
import type { Code, Contract, LocalChain } from './chain.ts';

const SOURCES = fileURLToPath(new URL('./contracts/', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../devnet/dist/realVaults.json', import.meta.url));

type Compiled = Code & { readonly deployedBytecode?: Hex };
let own: Promise<Artifacts> | undefined;

/**
 * Returns a compiled contract of `contracts/`: a vault on npm's OpenZeppelin, or a model of a contract that no package
 * has.
 */
export async function npmCompiled(name: string): Promise<Compiled> {
  own ??= compileFolder(SOURCES, CACHE);
  const found = (await own)[name];
  if (found === undefined) throw new Error(`no contract ${name} in ${SOURCES}`);
  return found;
}

/** Keeps the overload of a function with this many inputs; other functions stay. */
export function only(contract: Contract, fn: string, inputs: number): Contract {
  const abi = contract.abi.filter(
    (item) => !(item.type === 'function' && item.name === fn) || item.inputs.length === inputs,
  );
  return { address: contract.address, abi };
}

/** Deploys a contract behind a proxy, initializes it, and returns the proxy with the logic's ABI. */
export async function behind(
  chain: LocalChain,
  from: Address,
  proxy: Code,
  logic: Contract,
  args: { readonly proxy?: readonly unknown[]; readonly initialize: readonly unknown[] },
): Promise<Contract> {
  const data = encodeFunctionData({
    abi: logic.abi,
    functionName: 'initialize',
    args: args.initialize,
  } as never);
  const { address } = await chain.deploy(from, proxy, [logic.address, ...(args.proxy ?? []), data]);
  return { address, abi: logic.abi as Abi };
}
