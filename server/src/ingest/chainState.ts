import type { ChainClient, Header } from '../chain/chainClient.ts';
import { planRead } from '../domain/governance/readPlan.ts';
import type { Hex } from '../domain/hex.ts';
import { createSemaphore } from '../runtime/semaphore.ts';
import { blocks } from '../store/blocks/blocks.ts';
import { chainProgress } from '../store/chains/progress.ts';
import { custody } from '../store/custody/custody.ts';
import { governance } from '../store/governance/governance.ts';
import { type GovernanceRead, governanceReads } from '../store/governance/governanceReads.ts';
import { SourceChanged, type SourceRow, sources } from '../store/sources/sources.ts';
import type { Leadership, Store } from '../store/store.ts';
import { KINDS } from '../vaults/index.ts';
import { UnfitVault } from '../vaults/kind.ts';
import { openFeed } from './feeds/openFeed.ts';
import { ChainsDisagree, keepFacts } from './read/agreement.ts';
import { createFamilyReader, type FamilyReader } from './read/familyReader.ts';
import { BlockGone } from './read/logRanges.ts';
import type { Reader } from './read/reader.ts';
import { NotAVault, readVaultFacts } from './read/vaultFacts.ts';
import type { Registered } from './register.ts';
import type { FollowState } from './reorg.ts';
import { resolveSharedShareTokens } from './sharedShareTokens.ts';
import { masterOn } from './sources.ts';

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

/** Limits how long other queries to the embedded database wait while thousands of families are loaded. */
const OPENED_AT_ONCE = 16;
/**
 * The same for all chains together: each of these makes several queries at a time, and a query that waits too long for a
 * connection fails, which has all families of the chain opened again. Every chain has its share, so none waits for another.
 */
const OPENED_TOGETHER = 64;
const MIN_OPENED_AT_ONCE = 2;

export function openedAtOnce(chains: number): number {
  const share = Math.floor(OPENED_TOGETHER / Math.max(1, chains));
  return Math.max(MIN_OPENED_AT_ONCE, Math.min(OPENED_AT_ONCE, share));
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
  const chains = new Set(options.allRegistered.map(({ source }) => source.chainId));
  const readers = new Map<string, Reader>();
  const broken = new Map<string, string>();
  const stored = new Map((await sources.getOfChain(store, chainId)).map((row) => [row.key, row]));
  const governed = new Map(
    (await governanceReads.getOfChain(store, chainId)).map((one) => [one.key, one]),
  );
  const opening = createSemaphore({ atOnce: openedAtOnce(chains.size) });
  let failed = false;
  await Promise.all(
    registered.map(async (entry) => {
      const { key, fingerprint } = entry.source;
      const row = stored.get(key);
      const reason = options.halted.get(key);
      if (reason !== undefined) {
        broken.set(key, reason);
        return;
      }
      if (row?.fingerprint !== fingerprint) {
        broken.set(key, new SourceChanged(chainId, key).message);
        return;
      }
      try {
        await opening.run(async () => {
          // After one failure, all are loaded again.
          if (failed) return;
          const reader = await createReader(options, entry, row);
          if (reader.kind === 'family') await beginGovernance(options, reader, governed.get(key)!);
          readers.set(key, reader);
        });
      } catch (error) {
        failed ||= !isUnfit(error);
        if (!isUnfit(error)) throw error;
        broken.set(key, error.message);
      }
    }),
  );
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

async function createReader(
  options: LoadOptions,
  entry: Registered,
  row: SourceRow,
): Promise<Reader> {
  const { store, leadership, client, head } = options;
  const { source, familyId } = entry;
  if (source.kind === 'feed') return openFeed(options, source, row);
  const facts = await readVaultFacts(client, source, familyId!, head.number);
  await leadership.transaction((tx) => keepFacts(tx, source.family, facts));
  const { family, chain } = source;
  const { asset, assetDecimals, share, shareDecimals } = facts;
  const master = source.master === null ? null : masterOn(source.master, chain.chainId);
  const named = { family, chain, master, asset, assetDecimals, share, shareDecimals };
  const found = await KINDS[family.adapter].discover(client, head.number, named);
  const place = { blockNumber: row.indexedBlock };
  const holders = found.custody.map((account) => ({ account, place }));
  if (holders.length > 0) {
    await leadership.transaction((tx) => custody.insert(tx, familyId!, chain.chainId, holders));
  }
  return createFamilyReader(store, source, facts, { ...named, found });
}

/** Runs before the first step, so that no block is skipped between earlier reads and the steps. */
async function beginGovernance(
  { leadership, chainId }: LoadOptions,
  reader: FamilyReader,
  read: GovernanceRead,
): Promise<void> {
  const { rules: events, addresses: contracts } = reader.governance;
  const { key, fingerprint } = reader.source;
  const plan = planRead(read, { fingerprint, events, contracts });
  if (plan === undefined) return;
  await leadership.transaction(async (tx) => {
    if (plan.forgets) await governance.removeOfSource(tx, reader.familyId, chainId);
    await governanceReads.begin(tx, chainId, key, plan.rules, plan.missing);
  });
}

/** Whether only this family is affected, because its contracts do not match the configuration. */
function isUnfit(error: unknown): error is Error {
  return (
    error instanceof NotAVault || error instanceof ChainsDisagree || error instanceof UnfitVault
  );
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
