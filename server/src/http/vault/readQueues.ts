import { type BaseAsset, readBaseAssets } from '../../chain/baseAssets.ts';
import type { ChainClient } from '../../chain/chainClient.ts';
import { checksummed } from '../checksum.ts';
import type { LiveChains } from './liveChains.ts';
import type { WalletQueue } from './walletQueues.ts';

/** How one kind of queue is read and presented. */
export interface QueueReading<Found, Entry> {
  /** In the order of the queues; null for one that could not be read. */
  read(
    client: ChainClient,
    block: number,
    queues: readonly WalletQueue[],
  ): Promise<(Found | null)[]>;
  isEmpty(found: Found): boolean;
  present(place: QueuePlace, found: Found): Entry;
}

type QueueAsset = Omit<BaseAsset, 'asset'> & { readonly asset: BaseAsset['asset'] | null };

/** The fields of every queue entry. */
export interface QueuePlace {
  readonly family: string;
  readonly chainId: number;
  readonly vault: string;
  readonly shareDecimals: number;
  /** Null for a currency, which is not a token. */
  readonly baseAsset: string | null;
  readonly baseAssetDecimals: number;
  readonly baseAssetSymbol: string;
}

/** Reads the queues of all chains concurrently; lists chains that were not read completely. */
export async function readQueues<Found, Entry>(
  chains: LiveChains,
  queues: readonly WalletQueue[],
  reading: QueueReading<Found, Entry>,
): Promise<{ entries: Entry[]; incompleteChains: number[] }> {
  const chainIds = [...new Set(queues.map(({ chainId }) => chainId))];
  const parts = await Promise.all(
    chainIds.map(async (chainId) => {
      const own = queues.filter((queue) => queue.chainId === chainId);
      return { chainId, ...(await readChain(chains, chainId, own, reading)) };
    }),
  );
  const entries = new Map(parts.flatMap(({ found }) => [...found]));
  return {
    // In the order of the configuration, not of completion.
    entries: queues.flatMap((queue) => entries.get(queue) ?? []),
    incompleteChains: parts
      .filter(({ complete }) => !complete)
      .map(({ chainId }) => chainId)
      .sort((a, b) => a - b),
  };
}

async function readChain<Found, Entry>(
  chains: LiveChains,
  chainId: number,
  queues: readonly WalletQueue[],
  reading: QueueReading<Found, Entry>,
) {
  const known = queues.filter(({ facts }) => facts !== undefined);
  const answers =
    known.length === 0
      ? []
      : await chains.read(chainId, (client, block) => readAt(client, block, known, reading));
  const found = new Map<WalletQueue, Entry>();
  if (answers === undefined) return { found, complete: false };
  for (const [i, queue] of known.entries()) {
    const answer = answers[i];
    if (answer?.asset != null) {
      found.set(queue, reading.present(placeOf(queue, answer.asset), answer.found));
    }
  }
  const whole = known.length === queues.length && queues.every((queue) => queue.whole);
  return { found, complete: whole && !answers.includes(null) };
}

/** Returns the content of each queue with its asset, which is not read for an empty queue. */
async function readAt<Found, Entry>(
  client: ChainClient,
  block: number,
  queues: readonly WalletQueue[],
  { read, isEmpty }: QueueReading<Found, Entry>,
): Promise<({ found: Found; asset: QueueAsset | null } | null)[]> {
  const answers = await read(client, block, queues);
  const further = queues.filter((queue, i) => {
    const found = answers[i] ?? null;
    return queue.further && found !== null && !isEmpty(found);
  });
  const assets = await readBaseAssets(
    client,
    block,
    further.map(({ address }) => address),
  );
  return queues.map((queue, i) => {
    const found = answers[i] ?? null;
    if (found === null) return null;
    if (isEmpty(found)) return { found, asset: null };
    if (!queue.further) return { found, asset: queue.facts! };
    const asset = assets[further.indexOf(queue)] ?? null;
    return asset && { found, asset };
  });
}

function placeOf(queue: WalletQueue, asset: QueueAsset): QueuePlace {
  return {
    family: queue.family,
    chainId: queue.chainId,
    vault: checksummed(queue.address),
    shareDecimals: queue.facts!.shareDecimals,
    baseAsset: asset.asset && checksummed(asset.asset),
    baseAssetDecimals: asset.assetDecimals,
    baseAssetSymbol: asset.assetSymbol,
  };
}

/** Concurrent identical requests share one read of the chains. */
export function createSharedReads<Answer>() {
  const inFlight = new Map<string, Promise<Answer>>();
  return (key: string, read: () => Promise<Answer>): Promise<Answer> => {
    const running = inFlight.get(key);
    if (running !== undefined) return running;
    const started = read().finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  };
}
