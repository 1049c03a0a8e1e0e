import { fn } from '../../chain/abi.ts';
import type { ChainClient } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { Address } from '../../domain/hex.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import { numberIn } from '../../vaults/callResult.ts';
import { KINDS } from '../../vaults/index.ts';
import type { ReadQueue, RequestIds, Rounds, VaultOnChain } from '../../vaults/kind.ts';
import { ratioCalls, ratioIn } from '../../vaults/reportedState.ts';
import { runRounds } from '../../vaults/rounds.ts';
import { readWalletQueue, type VaultQueue } from '../../vaults/walletQueue.ts';
import { mapConcurrent } from './prefetch.ts';

const totalAssets = fn('totalAssets()');

/** What is to be asked of the vault at the end of a block that its logs name. */
export interface BlockQuestion {
  readonly block: number;
  /** The block's own. */
  readonly time: number;
  readonly price: boolean;
  /** Also before the block: what it brings may itself change what shares convert to. */
  readonly priceBefore: boolean;
  readonly wallets: readonly { readonly wallet: Address; readonly ids: RequestIds }[];
}

export interface BlockAnswer {
  readonly block: number;
  /** Undefined where it was not asked, null where the vault converts nothing. */
  readonly price: Ratio | null | undefined;
  /** Of the block before, likewise; undefined also where nobody keeps its state. */
  readonly priceBefore: Ratio | null | undefined;
  /** By how much the vault's total fell from the block before to this one; likewise. */
  readonly fallen: bigint | undefined;
  readonly queues: ReadonlyMap<Address, QueueAnswer>;
}

export interface QueueAnswer {
  readonly parts: readonly VaultQueue[];
  readonly openIds: RequestIds;
}

export interface BlockAnswers {
  readonly answers: readonly BlockAnswer[];
  /** Whether the state of a block is kept by nobody: its answer is left out. */
  readonly isPruned: boolean;
}

/** Asks at several blocks at once, in their order. */
export async function readBlocks(
  client: ChainClient,
  vault: VaultOnChain,
  readQueue: ReadQueue | null,
  questions: readonly BlockQuestion[],
  concurrency: number,
): Promise<BlockAnswers> {
  const newest = questions.at(-1);
  if (newest === undefined) return { answers: [], isPruned: false };
  // The newest tells whether any can be asked: a node without old state is asked once, not once a block.
  const last = await readBlock(client, vault, readQueue, newest);
  if (last === null) return { answers: [], isPruned: true };
  const answers: BlockAnswer[] = [];
  const reads = mapConcurrent(questions.slice(0, -1), concurrency, (question) =>
    readBlock(client, vault, readQueue, question),
  );
  for await (const answer of reads) if (answer !== null) answers.push(answer);
  return { answers: [...answers, last], isPruned: answers.length + 1 < questions.length };
}

async function readBlock(
  client: ChainClient,
  vault: VaultOnChain,
  readQueue: ReadQueue | null,
  { block, time, price, priceBefore, wallets }: BlockQuestion,
): Promise<BlockAnswer | null> {
  const asked = readQueue === null ? [] : wallets;
  try {
    const [[now], before, queues] = await Promise.all([
      runRounds(client, block, price ? [readPrice(vault, time, priceBefore)] : []),
      priceBefore ? readPriceBefore(client, vault, block, time) : undefined,
      runRounds(
        client,
        block,
        asked.map(({ wallet, ids }) => readWalletQueue(readQueue!, vault, wallet, ids)),
      ),
    ]);
    const told = new Map<Address, QueueAnswer>();
    for (const [i, { wallet }] of asked.entries()) {
      const queue = queues[i] ?? null;
      if (queue !== null) told.set(wallet, queue);
    }
    return {
      block,
      price: price ? now!.ratio : undefined,
      priceBefore: before?.ratio,
      fallen: before?.total == null || now?.total == null ? undefined : before.total - now.total,
      queues: told,
    };
  } catch (error) {
    if (isPruned(error)) return null;
    throw error;
  }
}

async function readPriceBefore(
  client: ChainClient,
  vault: VaultOnChain,
  block: number,
  time: number,
) {
  try {
    const [price] = await runRounds(client, block - 1, [readPrice(vault, time, true)]);
    return price!;
  } catch (error) {
    if (isPruned(error)) return undefined;
    throw error;
  }
}

function isPruned(error: unknown): boolean {
  return error instanceof StateUnavailable && error.reason === 'pruned';
}

interface Price {
  readonly ratio: Ratio | null;
  /** Null where it was not asked. */
  readonly total: bigint | null;
}

function* readPrice(vault: VaultOnChain, time: number, withTotal: boolean): Rounds<Price> {
  const kind = KINDS[vault.family.adapter];
  if (kind.ratio !== undefined) return { ratio: yield* kind.ratio(vault, time), total: null };
  const own = ratioCalls(vault);
  const total = withTotal ? [{ to: vault.chain.address, data: totalAssets() }] : [];
  const answers = yield [...own, ...total];
  return {
    ratio: ratioIn(vault, answers.slice(0, own.length)),
    total: withTotal ? numberIn(answers[own.length]) : null,
  };
}
