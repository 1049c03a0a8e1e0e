import { decodeFunctionResult, encodeFunctionData } from 'viem';
import type { Address, Hex } from '../../src/domain/hex.ts';
import type { Book, HistoryEntry, Move } from './book.ts';
import type { Contract, LocalChain, Receipt } from './chain.ts';
import type { Family, Place } from './scenario.ts';
import { convertToAssets, positionOf } from './words.ts';

/** Records the expected results of acts on a vault with requests in a scenario's book. */
export interface RequestBook {
  note(
    done: Receipt,
    entry: Pick<HistoryEntry, 'type' | 'vault' | 'user' | 'assets' | 'shares' | 'slack'>,
  ): void;
  /** Default for `shares`: the change of the wallet's position in that block. */
  move(
    done: Receipt,
    move: Pick<Move, 'wallet' | 'kind' | 'assets' | 'slack' | 'rough'> & {
      readonly shares?: bigint;
    },
  ): Promise<void>;
  /** Moves shares from one wallet's position to another's, at their value in that block. */
  pass(done: Receipt, from: Address, to: Address, shares?: bigint): Promise<void>;
  /** Records the dust by which the rounding of a claim changed the position. */
  rounded(done: Receipt, wallet: Address): Promise<void>;
  /** Converts shares to the family's base asset at the price at the end of that block. */
  worth(shares: bigint, done: Receipt): Promise<bigint>;
}

/** A millionth of a share: more than any rounding of an asset with 6 decimals. */
const DUST = 10n ** 13n;

export function createRequestBook(family: Family, place: Place, book: Book): RequestBook {
  const { chain } = place;
  const placed = ({ block, time }: Receipt) => ({
    ...{ family: family.slug, chainId: chain.chainId, block, time },
  });

  async function grown(wallet: Address, { block }: Receipt): Promise<bigint> {
    const before = await positionOf(family, place, wallet, block - 1);
    return (await positionOf(family, place, wallet, block)) - before;
  }

  const worth = async (shares: bigint, { block }: Receipt) =>
    (await convertToAssets(place, shares, block)) ?? 0n;

  async function move(done: Receipt, { shares, ...given }: Parameters<RequestBook['move']>[1]) {
    const lost = given.kind === 'sent' || given.kind === 'exit';
    const delta = shares ?? (await grown(given.wallet, done)) * (lost ? -1n : 1n);
    if (delta < 0n) throw new Error(`${given.kind} of ${given.wallet}: ${delta} shares`);
    book.move({ ...placed(done), ...given, shares: delta });
  }

  return {
    worth,
    move,
    note: (done, entry) => book.note({ ...placed(done), tx: done.hash, ...entry }),
    async pass(done, from, to, given) {
      const shares = given ?? (await grown(to, done));
      await move(done, { wallet: from, kind: 'sent', assets: 0n, ...(given && { shares }) });
      const assets = await worth(shares, done);
      await move(done, { wallet: to, kind: 'received', assets, shares });
    },
    async rounded(done, wallet) {
      const shares = await grown(wallet, done);
      if (shares > DUST || -shares > DUST) throw new Error(`${shares} shares of ${wallet}`);
      if (shares === 0n) return;
      book.move({ ...placed(done), wallet, kind: 'rounding', shares, assets: 0n });
    },
  };
}

/** Sends a transaction and returns the return value of the contract's function. */
export async function sendAndAsk(
  chain: LocalChain,
  from: Address,
  contract: Contract,
  fn: string,
  args: readonly unknown[],
): Promise<{ done: Receipt; returned: bigint }> {
  const returned = await simulate(chain, from, contract, fn, args);
  return { done: await chain.send(from, contract, fn, args), returned };
}

/** Returns what the function would return now; throws if the call would revert. */
export async function simulate(
  chain: LocalChain,
  from: Address,
  { address: to, abi }: Contract,
  fn: string,
  args: readonly unknown[],
): Promise<bigint> {
  const call = { abi, functionName: fn, args };
  const data = encodeFunctionData(call as never);
  const answer = await chain.rpc<Hex>('eth_call', [{ from, to, data }, 'latest']);
  return decodeFunctionResult({ ...call, data: answer } as never) as bigint;
}
