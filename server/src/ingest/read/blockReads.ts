import { fn } from '../../chain/abi.ts';
import type { ChainClient } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { Address } from '../../domain/hex.ts';
import type { BlockStart } from '../../domain/vault/fixedRequest.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import { numberIn } from '../../vaults/callResult.ts';
import { KINDS } from '../../vaults/index.ts';
import type { ReadQueue, RequestIds, Rounds, VaultOnChain } from '../../vaults/kind.ts';
import { ratioCalls, ratioIn } from '../../vaults/reportedState.ts';
import { runRounds } from '../../vaults/rounds.ts';
import { readWalletQueue, type VaultQueue } from '../../vaults/walletQueue.ts';
import { mapConcurrent } from './prefetch.ts';

const totalAssets = fn('totalAssets()');

/** What to read from the vault at the end of a block with its logs. */
export interface BlockQuestion {
  readonly block: number;
  /** Time of the block. */
  readonly time: number;
  readonly price: boolean;
  /** Whether to also read the block before, because the block itself may change the conversion rate. */
  readonly start: boolean;
  readonly wallets: readonly { readonly wallet: Address; readonly ids: RequestIds }[];
}

export interface BlockAnswer {
  readonly block: number;
  /** Undefined if not read; null if the vault cannot convert, and from `EarlierRatios` on, could not before either. */
  readonly price: Ratio | null | undefined;
  /** The block's start; undefined if it was not read. */
  readonly start: BlockStart | undefined;
  readonly queues: ReadonlyMap<Address, QueueAnswer>;
}

export interface QueueAnswer {
  readonly parts: readonly VaultQueue[];
  readonly openIds: RequestIds;
}

export interface BlockAnswers {
  readonly answers: readonly BlockAnswer[];
  /** Whether no endpoint has the state of a block, or of the one before if needed. Such blocks are left out of the results. */
  readonly isPruned: boolean;
}

/** Reads several blocks concurrently and returns the results in their order. */
export async function readBlocks(
  client: ChainClient,
  vault: VaultOnChain,
  readQueue: ReadQueue | null,
  questions: readonly BlockQuestion[],
  concurrency: number,
): Promise<BlockAnswers> {
  const newest = questions.at(-1);
  if (newest === undefined) return { answers: [], isPruned: false };
  // The newest block shows whether any can be read, so an endpoint without old state is called once, not per block.
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
  { block, time, price, start, wallets }: BlockQuestion,
): Promise<BlockAnswer | null> {
  const asked = readQueue === null ? [] : wallets;
  try {
    const [[now], before, queues] = await Promise.all([
      runRounds(client, block, price ? [readPrice(vault, time, start)] : []),
      start ? readPriceBefore(client, vault, block, time) : undefined,
      runRounds(
        client,
        block,
        asked.map(({ wallet, ids }) => readWalletQueue(readQueue!, vault, wallet, ids)),
      ),
    ]);
    const byWallet = new Map<Address, QueueAnswer>();
    for (const [i, { wallet }] of asked.entries()) {
      const queue = queues[i] ?? null;
      if (queue !== null) byWallet.set(wallet, queue);
    }
    return {
      block,
      price: price ? now!.ratio : undefined,
      start: before && startOf(before, now?.total ?? null),
      queues: byWallet,
    };
  } catch (error) {
    // Without the price before, a request would be valued at the price after it.
    if (isPruned(error)) return null;
    throw error;
  }
}

function startOf({ ratio, total }: Price, now: bigint | null): BlockStart {
  return { price: ratio, total, fallen: total === null || now === null ? null : total - now };
}

async function readPriceBefore(
  client: ChainClient,
  vault: VaultOnChain,
  block: number,
  time: number,
): Promise<Price> {
  const [price] = await runRounds(client, block - 1, [readPrice(vault, time, true)]);
  return price!;
}

function isPruned(error: unknown): boolean {
  return error instanceof StateUnavailable && error.reason === 'pruned';
}

interface Price {
  readonly ratio: Ratio | null;
  /** Null if it was not read. */
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

/** Returns what shares are worth at a block; null if the vault cannot convert them. */
export function* readRatio(vault: VaultOnChain, time: number): Rounds<Ratio | null> {
  return (yield* readPrice(vault, time, false)).ratio;
}
