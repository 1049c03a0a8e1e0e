import { addressAt, stringAt, wordAt } from '../../chain/abi.ts';
import type { ChainClient } from '../../chain/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';

/** Where contracts are read: one chain at one block. */
export interface Look {
  readonly client: ChainClient;
  readonly block: number;
}

export type Answer = Hex | null;

/** Returns a contract's result of each call; null if it fails, or returns less than one word. */
export async function ask(look: Look, to: Address, calls: readonly Hex[]): Promise<Answer[]> {
  const results = await look.client.multicall(
    calls.map((data) => ({ to, data })),
    look.block,
  );
  return results.map((result) => (result !== null && result.length >= 66 ? result : null));
}

/** Returns the word as an address, if it is one. */
export function addressIn(answer: Answer | undefined): Address | null {
  if (!answer) return null;
  // Numbers and texts fill the upper bytes, or are too small to be an address.
  const word = wordAt(answer, 0);
  if (word >> 160n !== 0n || word < 1n << 64n) return null;
  const address = addressAt(answer, 0);
  return address === ZERO_ADDRESS ? null : address;
}

export function numberIn(answer: Answer | undefined): bigint | null {
  return answer ? wordAt(answer, 0) : null;
}

export function isTrue(answer: Answer | undefined): boolean {
  return numberIn(answer) === 1n;
}

/** Larger powers of ten do not fit a uint256: a contract that returns them is no token. */
const MAX_DECIMALS = 77n;

export function decimalsIn(answer: Answer | undefined): number | null {
  const decimals = numberIn(answer);
  return decimals !== null && decimals <= MAX_DECIMALS ? Number(decimals) : null;
}

/** Decodes a string, or the bytes32 that some old tokens return. */
export function textIn(answer: Answer | undefined): string | null {
  if (!answer) return null;
  try {
    const bytes32 = answer.length === 66;
    const text = bytes32 ? Buffer.from(answer.slice(2), 'hex').toString() : stringAt(answer, 0);
    return text.replace(/\p{Cc}/gu, '').trim() || null;
  } catch {
    return null;
  }
}

/** The code of a delegated account (EIP-7702), which is a wallet like any other. */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/;

export async function isContract(look: Look, address: Address): Promise<boolean> {
  const code = await look.client.code(address, look.block);
  return code.length > 2 && !DELEGATION.test(code);
}
