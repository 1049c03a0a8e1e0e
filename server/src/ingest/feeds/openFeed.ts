import type { ChainClient, Header } from '../../chain/chainClient.ts';
import { feedPhases } from '../../store/prices/feedPhases.ts';
import { type SourceRow, sources } from '../../store/sources/sources.ts';
import type { Leadership, Store } from '../../store/store.ts';
import { forgetFeed } from '../forget.ts';
import type { FeedSource } from '../sources.ts';
import { readFeedFacts } from './feedFacts.ts';
import { createFeedReader, type FeedReader } from './feedReader.ts';
import { readFeedWords, unlessPruned } from './proxy.ts';

export interface OpenFeed {
  readonly store: Store;
  readonly leadership: Leadership;
  readonly client: ChainClient;
  readonly head: Header;
}

/** A reader that goes on where the store stands. */
export async function openFeed(
  { store, leadership, client, head }: OpenFeed,
  source: FeedSource,
  row: Pick<SourceRow, 'indexedBlock'>,
): Promise<FeedReader> {
  const { name, address } = source.feed;
  const facts = await readFeedFacts(client, source, head.number);
  const phases = await feedPhases.getOfFeed(store, name, source.chainId);
  const untold = phases.find(({ located }) => !located);
  const told =
    untold !== undefined &&
    (await unlessPruned(readFeedWords(client, address, untold.blockNumber))) !== 'pruned';
  if (!told) return createFeedReader(source, facts, { phases, indexedBlock: row.indexedBlock });
  // A node that keeps what the one before could not tell: all of it is read again.
  await leadership.transaction(async (tx) => {
    await sources.restart(tx, source);
    await forgetFeed(tx, name, source.chainId);
  });
  return createFeedReader(source, facts, { phases: [], indexedBlock: source.startBlock - 1 });
}
