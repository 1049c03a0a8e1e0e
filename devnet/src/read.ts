import type { Address } from 'viem';
import { decodeReads, encodeCall, encodeReads, type Read, wordAt } from './abi.ts';
import type { DevChain } from './chain.ts';
import { MULTICALL } from './plan.ts';

/** Reads one number at the latest block. */
export async function readNumber(
  chain: DevChain,
  to: Address,
  signature: string,
  args: readonly (bigint | Address)[] = [],
): Promise<bigint> {
  return wordAt(await chain.call(to, encodeCall(signature, args)), 0);
}

export function balanceOf(chain: DevChain, token: Address, owner: Address): Promise<bigint> {
  return readNumber(chain, token, 'balanceOf(address)', [owner]);
}

export async function pendingOf(
  chain: DevChain,
  vault: Address,
  receiver: Address,
): Promise<{ assets: bigint; shares: bigint }> {
  const data = await chain.call(vault, encodeCall('pendingRedeemRequest(address)', [receiver]));
  return { assets: wordAt(data, 0), shares: wordAt(data, 1) };
}

/** Reads many numbers in one call. Throws if a read fails. */
export async function readNumbers(chain: DevChain, reads: readonly Read[]): Promise<bigint[]> {
  return (await readWords(chain, reads)).map((data) => wordAt(data, 0));
}

export async function readPendings(
  chain: DevChain,
  vault: Address,
  receivers: readonly Address[],
): Promise<{ assets: bigint; shares: bigint }[]> {
  const reads = receivers.map((receiver) =>
    read(vault, 'pendingRedeemRequest(address)', [receiver]),
  );
  const answers = await readWords(chain, reads);
  return answers.map((data) => ({ assets: wordAt(data, 0), shares: wordAt(data, 1) }));
}

export function read(
  to: Address,
  signature: string,
  args: readonly (bigint | Address)[] = [],
): Read {
  return { to, data: encodeCall(signature, args) };
}

async function readWords(chain: DevChain, reads: readonly Read[]) {
  if (reads.length === 0) return [];
  const answers = decodeReads(await chain.call(MULTICALL, encodeReads(reads)));
  return answers.map((data, index) => {
    if (data === null) throw new ReadFailed(reads[index]!.to);
    return data;
  });
}

export class ReadFailed extends Error {
  override readonly name = 'ReadFailed';
  readonly contract: Address;

  constructor(contract: Address) {
    super(`A read of contract ${contract} failed.`);
    this.contract = contract;
  }
}
