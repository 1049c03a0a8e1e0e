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

/** Opens a reader that continues at the checkpoint in the store. */
export async function openFeed(
  { store, leadership, client, head }: OpenFeed,
  source: FeedSource,
  row: Pick<SourceRow, 'indexedBlock'>,
): Promise<FeedReader> {
  const { name, address } = source.feed;
  const facts = await readFeedFacts(client, source, head.number);
  const phases = await feedPhases.getOfFeed(store, name, source.chainId);
  const unlocated = phases.find(({ located }) => !located);
  const isReadable =
    unlocated !== undefined &&
    (await unlessPruned(readFeedWords(client, address, unlocated.blockNumber))) !== 'pruned';
  if (!isReadable)
    return createFeedReader(source, facts, { phases, indexedBlock: row.indexedBlock });
  // This endpoint has the state that an earlier one lacked: read the feed from scratch.
  await leadership.transaction(async (tx) => {
    await sources.restart(tx, source);
    await forgetFeed(tx, name, source.chainId);
  });
  return createFeedReader(source, facts, { phases: [], indexedBlock: source.startBlock - 1 });
}
