import type { ChainClient, Header } from '../chain/chainClient.ts';
import type { Hex } from '../domain/hex.ts';
import { blocks } from '../store/blocks/blocks.ts';
import { chainProgress } from '../store/chains/progress.ts';
import { SourceChanged, type SourceRow, sources } from '../store/sources/sources.ts';
import type { Leadership, Store } from '../store/store.ts';
import { openFeed } from './feeds/openFeed.ts';
import { type NamedFamily, openFamilies } from './openFamilies.ts';
import { BlockGone } from './read/logRanges.ts';
import type { Reader } from './read/reader.ts';
import type { Registered } from './register.ts';
import type { FollowState } from './reorg.ts';
import { resolveSharedShareTokens } from './sharedShareTokens.ts';

/** The store holds the rows of another chain that has the same id. */
export class AnotherChain extends Error {
  constructor(chainId: number) {
    super(
      `the store was filled from another chain with id ${chainId} (other genesis block): use another store, or the chain it was filled from`,
    );
    this.name = 'AnotherChain';
  }
}

/** State in memory of the leader of a chain. Loaded from the store, and discarded after any error. */
export interface ChainState {
  readonly rows: Map<string, SourceRow>;
  readonly readers: Map<string, Reader>;
  /** Sources that cannot be read, with the reason. */
  readonly broken: Map<string, string>;
  /** Families of this chain alone of which no stored row waits for a fold: a step without rows of theirs leaves them out. */
  readonly settled: Set<number>;
  follow: FollowState;
  backfilled: boolean;
}

export interface LoadOptions {
  readonly store: Store;
  readonly leadership: Leadership;
  readonly chainId: number;
  readonly registered: readonly Registered[];
  /** Of all chains. */
  readonly allRegistered: readonly Registered[];
  readonly client: ChainClient;
  readonly head: Header;
  readonly genesis: Hex;
  readonly now: number;
  /** Halted families, with the reason. */
  readonly halted: ReadonlyMap<string, string>;
}

export async function loadChainState(options: LoadOptions): Promise<ChainState> {
  const { store, leadership, chainId, registered, head, genesis, now } = options;
  const bound = await leadership.transaction((tx) => chainProgress.bind(tx, chainId, genesis, now));
  if (bound.genesisHash !== genesis) throw new AnotherChain(chainId);
  const readers = new Map<string, Reader>();
  const broken = new Map<string, string>();
  const stored = new Map((await sources.getOfChain(store, chainId)).map((row) => [row.key, row]));
  const named: NamedFamily[] = [];
  const feeds: Promise<unknown>[] = [];
  for (const { source, familyId } of registered) {
    const { key, fingerprint } = source;
    const row = stored.get(key);
    const reason = options.halted.get(key);
    if (reason !== undefined) broken.set(key, reason);
    else if (row?.fingerprint !== fingerprint) {
      broken.set(key, new SourceChanged(chainId, key).message);
    } else if (source.kind === 'feed') {
      feeds.push(openFeed(options, source, row).then((reader) => readers.set(key, reader)));
    } else named.push({ source, familyId: familyId!, row });
  }
  await Promise.all([...feeds, openFamilies(options, named, readers, broken)]);
  await resolveSharedShareTokens(options, readers, broken);
  await startSources(options, readers, broken, head);
  const rows = await sources.getOfChain(store, chainId);
  const usable = rows.filter((row) => readers.has(row.key));
  return {
    rows: new Map(usable.map((row) => [row.key, row])),
    readers,
    broken,
    settled: new Set(),
    follow: { blocks: await blocks.getOfChain(store, chainId), checking: null },
    backfilled: bound.backfilled,
  };
}

/** Sets the checkpoint of new sources to the block before their first, whose time is read from the chain. */
async function startSources(
  { store, leadership, chainId, client, now }: LoadOptions,
  readers: Map<string, Reader>,
  broken: Map<string, string>,
  head: Header,
): Promise<void> {
  const starting = new Map<number, SourceRow[]>();
  for (const row of await sources.getOfChain(store, chainId)) {
    if (!readers.has(row.key) || row.startTime !== null) continue;
    if (row.startBlock > head.number) {
      readers.delete(row.key);
      broken.set(row.key, `${row.key} starts at block ${row.startBlock}, above the chain's head`);
      continue;
    }
    const rows = starting.get(row.startBlock);
    if (rows === undefined) starting.set(row.startBlock, [row]);
    else rows.push(row);
  }
  const numbers = [...new Set([...starting.keys()].flatMap((block) => [block, block - 1]))];
  const headers = new Map(
    (numbers.length === 0 ? [] : await client.headers(numbers)).map((one, i) => [numbers[i], one]),
  );
  for (const [block, rows] of starting) {
    const [start, before] = [headers.get(block), headers.get(block - 1)];
    if (!start || !before) throw new BlockGone(block);
    await leadership.transaction(async (tx) => {
      await sources.setStartTime(tx, chainId, rows, start.time);
      await sources.advance(tx, chainId, rows, before);
    });
  }
  const errors = [
    ...[...broken].map(([key, error]) => ({ key, error })),
    ...[...readers.keys()].map((key) => ({ key, error: null })),
  ];
  await leadership.transaction(async (tx) => {
    await sources.setReadable(tx, chainId, [...broken.keys()], false);
    await sources.setErrors(tx, chainId, errors, now);
  });
}
