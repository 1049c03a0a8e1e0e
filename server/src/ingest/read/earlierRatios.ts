import type { ChainClient } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import { runRounds } from '../../vaults/rounds.ts';
import { type BlockAnswer, type BlockAnswers, readRatio } from './blockReads.ts';
import { BlockGone } from './logRanges.ts';

/** Values the blocks at which a vault cannot convert, as while it is paused, at the last rate before them. */
export interface EarlierRatios {
  /** Replaces missing prices. Without the state of an earlier block, the price counts as not read. */
  complete(client: ChainClient, given: BlockAnswers): Promise<BlockAnswers>;
}

/** More blocks are not kept: events during a pause mostly need the same ones. */
const MAX_KEPT = 10_000;

/** The rate is read from the chain, because what a process last saw depends on when it started. */
export function createEarlierRatios(vault: VaultOnChain): EarlierRatios {
  const kept = new Map<number, Ratio | null>();

  return {
    async complete(client, given) {
      if (given.answers.every(({ price }) => price !== null)) return given;
      let { isPruned } = given;
      const answers: BlockAnswer[] = [];
      for (const answer of given.answers) {
        const price = answer.price === null ? await find(answer.block) : answer.price;
        answers.push({ ...answer, price });
      }
      return { answers, isPruned };

      async function find(block: number): Promise<Ratio | null | undefined> {
        try {
          return await findLastKnown((at) => read(client, at), vault.chain.startBlock, block);
        } catch (error) {
          if (!(error instanceof StateUnavailable) || error.reason !== 'pruned') throw error;
          isPruned = true;
          return undefined;
        }
      }
    },
  };

  async function read(client: ChainClient, block: number): Promise<Ratio | null> {
    const known = kept.get(block);
    if (known !== undefined) return known;
    const header = await client.header(block);
    if (header === null) throw new BlockGone(block);
    const [found] = await runRounds(client, block, [readRatio(vault, header.time)]);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(block, found!);
    return found!;
  }
}

/**
 * Returns the value at the last block before `before` that has one; null if none was found. If values came and went
 * several times, it is one that was the last for a while, and always the same one for a block.
 */
export async function findLastKnown<Value>(
  read: (block: number) => Promise<Value | null>,
  first: number,
  before: number,
): Promise<Value | null> {
  let missing = before;
  // Aligned to powers of two, so that later searches read the same blocks.
  for (let size = 1; size <= before; size *= 2) {
    const block = Math.floor(before / size) * size - 1;
    if (block < first) break;
    if (block >= missing) continue;
    const value = await read(block);
    if (value !== null) return between(block, value);
    missing = block;
  }
  // The largest steps can pass over the time after a contract was deployed.
  let early: { readonly block: number; readonly value: Value } | null = null;
  for (let size = 1; first + size - 1 < missing; size *= 2) {
    const block = first + size - 1;
    const value = await read(block);
    if (value !== null) early = { block, value };
  }
  return early === null ? null : between(early.block, early.value);

  async function between(block: number, value: Value): Promise<Value> {
    let [known, last] = [block, value];
    while (missing - known > 1) {
      const middle = Math.floor((known + missing) / 2);
      const found = await read(middle);
      if (found === null) missing = middle;
      else [known, last] = [middle, found];
    }
    return last;
  }
}
