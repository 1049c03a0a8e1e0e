import { type BaseAsset, readBaseAssets } from '../../chain/baseAssets.ts';
import type { ChainClient } from '../../chain/chainClient.ts';
import { checksummed } from '../checksum.ts';
import type { LiveChains } from './liveChains.ts';
import type { WalletQueue } from './walletQueues.ts';

/** How one kind of queue is read and shown. */
export interface QueueReading<Found, Entry> {
  /** In the order of the queues; null for one that did not answer. */
  read(
    client: ChainClient,
    block: number,
    queues: readonly WalletQueue[],
  ): Promise<(Found | null)[]>;
  isEmpty(found: Found): boolean;
  present(place: QueuePlace, found: Found): Entry;
}

/** The fields that every entry of a queue has. */
export interface QueuePlace {
  readonly family: string;
  readonly chainId: number;
  readonly vault: string;
  readonly shareDecimals: number;
  readonly baseAsset: string;
  readonly baseAssetDecimals: number;
  readonly baseAssetSymbol: string;
}

/** What waits in the queues, all chains at once; a chain that was not read completely is named. */
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
    // In the order of the configuration, however fast each chain was.
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

/** What was found in each queue, with the asset that it is told in; that is not asked for where nothing was found. */
async function readAt<Found, Entry>(
  client: ChainClient,
  block: number,
  queues: readonly WalletQueue[],
  { read, isEmpty }: QueueReading<Found, Entry>,
): Promise<({ found: Found; asset: BaseAsset | null } | null)[]> {
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

function placeOf(queue: WalletQueue, asset: BaseAsset): QueuePlace {
  return {
    family: queue.family,
    chainId: queue.chainId,
    vault: checksummed(queue.address),
    shareDecimals: queue.facts!.shareDecimals,
    baseAsset: checksummed(asset.asset),
    baseAssetDecimals: asset.assetDecimals,
    baseAssetSymbol: asset.assetSymbol,
  };
}

/** The same question at the same moment is asked of the chains once. */
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
