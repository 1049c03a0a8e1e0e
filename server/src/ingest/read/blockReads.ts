import type { ChainClient } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { Address } from '../../domain/hex.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import type { ReadQueue, RequestIds, Rounds, VaultOnChain } from '../../vaults/kind.ts';
import { ratioCalls, ratioIn } from '../../vaults/ownWord.ts';
import { runRounds } from '../../vaults/rounds.ts';
import { readWalletQueue, type VaultQueue } from '../../vaults/walletQueue.ts';
import { mapAhead } from './ahead.ts';

/** What is to be asked of the vault at the end of a block that its logs name. */
export interface BlockQuestion {
  readonly block: number;
  readonly price: boolean;
  readonly wallets: readonly { readonly wallet: Address; readonly ids: RequestIds }[];
}

export interface BlockAnswer {
  readonly block: number;
  /** Undefined where it was not asked, null where the vault converts nothing. */
  readonly price: Ratio | null | undefined;
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
  const reads = mapAhead(questions.slice(0, -1), concurrency, (question) =>
    readBlock(client, vault, readQueue, question),
  );
  for await (const answer of reads) if (answer !== null) answers.push(answer);
  return { answers: [...answers, last], isPruned: answers.length + 1 < questions.length };
}

async function readBlock(
  client: ChainClient,
  vault: VaultOnChain,
  readQueue: ReadQueue | null,
  { block, price, wallets }: BlockQuestion,
): Promise<BlockAnswer | null> {
  const asked = readQueue === null ? [] : wallets;
  try {
    const [[ratio], queues] = await Promise.all([
      runRounds(client, block, price ? [readRatio(vault)] : []),
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
    return { block, price: price ? ratio! : undefined, queues: told };
  } catch (error) {
    if (error instanceof StateUnavailable && error.reason === 'pruned') return null;
    throw error;
  }
}

function* readRatio(vault: VaultOnChain): Rounds<Ratio | null> {
  return ratioIn(vault, yield ratioCalls(vault));
}
