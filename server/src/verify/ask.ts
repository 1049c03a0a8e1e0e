import { type Abi, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import type { Address, Hex } from '../domain/hex.ts';

/** Runs one call at its block; returns null if it reverts. */
export type CallContract = (to: Address, data: Hex) => Promise<Hex | null>;

/**
 * Reads one value from a contract, by the function's signature; undefined if the call fails or returns invalid data.
 */
export type Ask = <T>(
  to: Address,
  signature: string,
  ...args: readonly unknown[]
) => Promise<T | undefined>;

/** A contract does not return a value that a check needs. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';

  constructor(to: Address, signature: string) {
    super(`${to} does not answer ${signature.slice(0, signature.indexOf(')') + 1)} there`);
  }
}

export function createAsk(call: CallContract): Ask {
  return async <T>(to: Address, signature: string, ...args: readonly unknown[]) => {
    const abi = abiOf(signature);
    const answer = await call(to, encodeFunctionData({ abi, args }));
    if (answer === null) return undefined;
    try {
      return decodeFunctionResult({ abi, data: answer }) as T;
    } catch {
      return undefined;
    }
  };
}

/** Returns the value, or throws Unanswered. */
export async function need<T>(
  ask: Ask,
  to: Address,
  signature: string,
  ...args: readonly unknown[]
): Promise<T> {
  const value = await ask<T>(to, signature, ...args);
  if (value === undefined) throw new Unanswered(to, signature);
  return value;
}

const abis = new Map<string, Abi>();

function abiOf(signature: string): Abi {
  let abi = abis.get(signature);
  if (abi === undefined) {
    abi = parseAbi([`function ${signature}`] as readonly string[]) as Abi;
    abis.set(signature, abi);
  }
  return abi;
}
