import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
} from 'viem';
import { ASSET, AUTHORITY, DECIMALS, MULTICALL, ORACLE, selector, VAULT } from './contracts.ts';
import type { ReplayedChain } from './replayedChain.ts';
import { word } from './world.ts';

export interface StaticReads {
  /** Returns the result of a call at the head, or null if it reverts. */
  call(to: string, data: string): Hex | null;
  hasCode(address: string): boolean;
}

const AGGREGATE3 = selector('aggregate3((address,bool,bytes)[])');

/** Returns results of the vault, its asset, and its oracle at the head of the replayed chain. */
export function createStaticReads(chain: ReplayedChain, headTime: number): StaticReads {
  const { price, supply, escrowed, pendingAssets } = chain.state;
  const totalAssets = (supply * price) / 10n ** BigInt(DECIMALS);
  const reads = new Map<string, (argument: bigint) => Hex>();

  function answer(to: string, signature: string, result: (argument: bigint) => Hex): void {
    reads.set(to + selector(signature), result);
  }
  for (const [token, name, symbol] of [
    [VAULT, 'Bench Vault', 'bvUSD'],
    [ASSET, 'USD Coin', 'USDC'],
  ] as const) {
    answer(token, 'name()', () => text(name));
    answer(token, 'symbol()', () => text(symbol));
    answer(token, 'decimals()', () => words(BigInt(DECIMALS)));
  }
  answer(VAULT, 'asset()', () => words(BigInt(ASSET)));
  answer(VAULT, 'share()', () => words(BigInt(VAULT)));
  answer(VAULT, 'authority()', () => words(BigInt(AUTHORITY)));
  answer(VAULT, 'oracle()', () => words(BigInt(ORACLE)));
  answer(VAULT, 'paused()', () => words(0n));
  answer(VAULT, 'totalAssets()', () => words(totalAssets));
  answer(VAULT, 'totalSupply()', () => words(supply));
  answer(VAULT, 'totalPendingAssets()', () => words(pendingAssets));
  answer(VAULT, 'convertToAssets(uint256)', (shares) =>
    words((shares * price) / 10n ** BigInt(DECIMALS)),
  );
  answer(VAULT, 'balanceOf(address)', (owner) => words(owner === BigInt(VAULT) ? escrowed : 0n));
  answer(VAULT, 'pendingRedeemRequest(address)', () => words(0n, 0n));
  answer(ASSET, 'balanceOf(address)', () => words(totalAssets));
  answer(ORACLE, 'getLatestPrice(address)', () => words(price, BigInt(headTime)));

  function call(to: string, data: string): Hex | null {
    if (to === MULTICALL && data.startsWith(AGGREGATE3)) return aggregate(data as Hex);
    const argument = data.length >= 74 ? BigInt(`0x${data.slice(10, 74)}`) : 0n;
    return reads.get(to + data.slice(0, 10))?.(argument) ?? null;
  }

  function aggregate(data: Hex): Hex {
    const { args } = decodeFunctionData({ abi: multicall3Abi, data });
    const calls = args?.[0] as readonly { target: Hex; callData: Hex }[];
    const result = calls.map(({ target, callData }) => {
      const returnData = call(target.toLowerCase(), callData);
      return { success: returnData !== null, returnData: returnData ?? ('0x' as const) };
    });
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
  }

  return {
    call,
    hasCode: (address) => [VAULT, ASSET, ORACLE, AUTHORITY, MULTICALL].includes(address as Hex),
  };
}

function words(...values: bigint[]): Hex {
  return `0x${values.map(word).join('')}`;
}

function text(value: string): Hex {
  return encodeAbiParameters([{ type: 'string' }], [value]);
}
