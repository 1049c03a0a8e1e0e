import type { Tick } from '../domain/series/tick.ts';
import type { Movement } from '../domain/wallet/movement.ts';
import { alerts } from '../store/alerts/alerts.ts';
import { blocks } from '../store/blocks/blocks.ts';
import { type TickBlock, tickBlocks } from '../store/blocks/tickBlocks.ts';
import { type ChainProgress, chainProgress } from '../store/chains/progress.ts';
import { custody } from '../store/custody/custody.ts';
import { events } from '../store/events/events.ts';
import { eventNotes } from '../store/events/notes.ts';
import { type FamilyRow, families } from '../store/families/families.ts';
import { flowFits } from '../store/flowFits/flowFits.ts';
import { freeMints } from '../store/freeMints/freeMints.ts';
import { type Gap, gaps } from '../store/gaps/gaps.ts';
import { governance } from '../store/governance/governance.ts';
import { history } from '../store/history/history.ts';
import { historyVaults } from '../store/history/historyVaults.ts';
import { movements } from '../store/movements/movements.ts';
import { notices } from '../store/notices/notices.ts';
import { type FoundAt, storeFoundPools } from '../store/pools/foundPools.ts';
import { pools } from '../store/pools/pools.ts';
import { feedPhases } from '../store/prices/feedPhases.ts';
import { priceOutages } from '../store/prices/priceOutages.ts';
import { prices } from '../store/prices/prices.ts';
import { sharePrices } from '../store/prices/sharePrices.ts';
import { walletQueues } from '../store/queues/walletQueues.ts';
import { depositRequests } from '../store/requests/depositRequests.ts';
import { redeemRequests } from '../store/requests/redeemRequests.ts';
import { knownUntil } from '../store/sources/knownUntil.ts';
import { type SourceRow, sources } from '../store/sources/sources.ts';
import type { Queryable } from '../store/store.ts';
import { chainTicks, type ReadTick } from '../store/ticks/chainTicks.ts';
import { askForFold, type FoldReads, foldPositions } from './fold/foldPositions.ts';
import { type FamilyToFold, foldTicks } from './fold/foldTicks.ts';
import type { FamilyRows, Step } from './read/step.ts';
import type { BlockRef } from './reorg.ts';

export interface Commit {
  readonly step: Step;
  /** Blocks to remember by hash, and the oldest one to keep; null while backfilling finalized blocks. */
  readonly ring: { readonly added: readonly BlockRef[]; readonly keepFrom: number } | null;
  readonly progress: ChainProgress;
  /** Keys of its sources that were never at the head: see `addedIn`. */
  readonly added: ReadonlySet<string>;
  /** Families whose ticks can change: those on this chain, and those priced by a feed on it. */
  readonly families: readonly FamilyToFold[];
  /** Those of them that are checked only if the step has rows of theirs. Default: none. */
  readonly settled?: ReadonlySet<number>;
  /** Called while the database writes the rows. */
  readonly meanwhile?: (() => void) | undefined;
}

export type MadeTicks = { readonly family: FamilyToFold; readonly ticks: readonly Tick[] }[];

export interface Committed {
  readonly made: MadeTicks;
  /** Families on this chain only that have no unfolded rows left. */
  readonly settled: readonly number[];
}

/** Commits events, derived rows, blocks, and the checkpoint in one transaction. */
export async function commitStep(tx: Queryable, commit: Commit): Promise<Committed> {
  const { step, ring, progress } = commit;
  const fresh = freshIn(step);
  const asked = commit.families.filter(
    ({ familyId }) => fresh.has(familyId) || commit.settled?.has(familyId) !== true,
  );
  const { chainId, to } = step;
  const errors = step.families.flatMap(errorOf);
  const rates = step.families.flatMap(rateOf);
  const read = step.readers.map((reader) => reader.source);
  // Queries are pipelined. Short tables that are needed for the fold go first, so that it runs while the database
  // writes.
  const locked = lockFamilies(tx, asked);
  const advanced = Promise.all([
    ...(errors.length === 0 ? [] : [sources.setErrors(tx, chainId, errors, progress.now)]),
    ...(rates.length === 0 ? [] : [sources.setRateTimes(tx, chainId, rates)]),
    sources.advance(tx, chainId, read, to, to.number === progress.head),
    chainProgress.update(tx, chainId, progress),
  ]);
  const toFold = familiesToFold(tx, step, fresh, asked);
  const begun = beginFolds(tx, step, commit.families);
  const written = Promise.all([
    ...step.families.filter(hasRows).flatMap((rows) => insertRows(tx, chainId, rows)),
    ...gapsOf(commit).map((gap) => gaps.add(tx, gap)),
    ...step.prices.flatMap(({ feed, rows, phases }) => [
      feedPhases.insert(tx, feed, chainId, phases),
      prices.insert(tx, feed, rows),
    ]),
    ...(ring === null
      ? [gaps.readLogs(tx, chainId, idsOf(step), to.number)]
      : [blocks.insert(tx, chainId, ring.added), blocks.removeBelow(tx, chainId, ring.keepFrom)]),
    tickBlocks.insert(tx, chainId, tickBlocksOf(step.families)),
  ]);
  const outages = insertOutages(tx, commit);
  commit.meanwhile?.();
  const [made, final, unpriced] = await Promise.all([
    foldDue(),
    events.findFinal(tx, chainId),
    outages,
    advanced,
    written,
  ]);
  await announce(tx, commit, unpriced, final);
  const folded = new Set(await toFold);
  // Rows of earlier steps are due by now, unless the step ends in the same second as those.
  const quiet = to.time > step.fromTime ? asked.filter(isAlone) : [];
  const settled = quiet.flatMap(({ familyId }) => (folded.has(familyId) ? [] : familyId));
  return { made, settled };

  async function foldDue(): Promise<MadeTicks> {
    const [rows, ids] = await Promise.all([locked, toFold]);
    const wanted = new Set(ids);
    const due = rows.filter(({ familyId }) => wanted.has(familyId));
    await reopenAlerts(tx, commit, rows);
    const [folded] = await Promise.all([
      foldFamilies(tx, due, step.fromTime, commit.families, begun),
      families.notify(tx, [...new Set([...ids, ...familiesWithChanges(step)])]),
    ]);
    return folded;
  }
}

/**
 * The chain was unreachable, or the family halted there, while the others went on: the alerts were evaluated without its
 * rows. Historical blocks of an added source never fire an alert.
 */
async function reopenAlerts(
  tx: Queryable,
  { step, added }: Commit,
  locked: readonly FamilyRow[],
): Promise<void> {
  const changed = new Set(
    step.families
      .filter((rows) => hasRows(rows) && !added.has(rows.reader.source.key))
      .map(({ reader }) => reader.familyId),
  );
  const late = locked.filter(
    ({ familyId, tickUntil }) => changed.has(familyId) && tickUntil >= step.fromTime,
  );
  if (late.length === 0) return;
  await alerts.reopen(
    tx,
    late.map(({ familyId }) => familyId),
    step.fromTime,
  );
}

/** Whether no other chain can unblock rows of the family. */
function isAlone({ chainIds, feed }: FamilyToFold): boolean {
  return chainIds.length === 1 && feed === null;
}

/** Returns the families to which the step adds rows to fold. */
function freshIn(step: Step): ReadonlySet<number> {
  return new Set(
    step.families
      .filter((rows) => rows.movements.length + rows.history.length + rows.ticks.length > 0)
      .map((rows) => rows.reader.familyId),
  );
}

/**
 * Adds the rows of the step to the event feed, and reports earlier ones as final. Runs last, because the next chain to
 * commit waits for its lock.
 */
async function announce(
  tx: Queryable,
  { step, progress: { finalized, now } }: Commit,
  unpriced: readonly number[],
  final = -1,
): Promise<void> {
  const { chainId, fromBlock, fromTime, to } = step;
  if (finalized > final) await events.finalize(tx, chainId, finalized);
  if (step.families.some(({ isPruned, unreadAt }) => isPruned || unreadAt !== null)) {
    await eventNotes.states(tx, chainId, now);
  }
  const families = [...new Set([...familiesWithChanges(step), ...unpriced])];
  if (families.length === 0) return;
  const rows = { chainId, families, fromBlock, fromTime, toBlock: to.number, toTime: to.time };
  await events.add(tx, rows, Math.max(finalized, final));
}

/** Returns the families whose price ended or came back in the step. */
async function insertOutages(
  tx: Queryable,
  { step: { chainId, prices: added }, families: touched }: Commit,
): Promise<number[]> {
  const found = added.map(async ({ feed, rows }) => {
    const ids = touched.filter((family) => family.feed === feed).map(({ familyId }) => familyId);
    const options = { feed, chainId, families: ids, rows };
    return (await priceOutages.insert(tx, options)) ? ids : [];
  });
  return (await Promise.all(found)).flat();
}

function idsOf(step: Step): number[] {
  return step.families.map(({ reader }) => reader.familyId);
}

/** Returns the gaps of families whose state no RPC endpoint has in the step. */
export function gapsOf({
  step,
  progress,
  added,
}: Pick<Commit, 'step' | 'progress' | 'added'>): Gap[] {
  return step.families
    .filter(({ isPruned }) => isPruned)
    .map(({ reader }) => ({
      familyId: reader.familyId,
      chainId: step.chainId,
      reason: 'state',
      fromBlock: step.fromBlock,
      toBlock: step.to.number,
      fromTime: step.fromTime,
      toTime: step.to.time,
      foundAt: progress.now,
      initial: added.has(reader.source.key),
    }));
}

/** Reads for the fold of a family, which start before its movements are written. */
interface BegunFold {
  readonly added: readonly Movement[];
  readonly reads: FoldReads;
  readonly sources: Promise<readonly SourceRow[]>;
}

function beginFolds(
  tx: Queryable,
  step: Step,
  candidates: readonly FamilyToFold[],
): ReadonlyMap<number, BegunFold> {
  const begun = new Map<number, BegunFold>();
  const byId = new Map(candidates.map((family) => [family.familyId, family]));
  for (const { reader, movements: added } of step.families) {
    const family = byId.get(reader.familyId);
    if (family === undefined || added.length === 0) continue;
    const { familyId, feed } = family;
    const reads = askForFold(tx, familyId, feed, added);
    const rows = sources.getOfFamily(tx, familyId, feed);
    // The error surfaces where the result is awaited, which may never happen.
    void Promise.allSettled([reads.held, reads.waiting, rows]);
    begun.set(familyId, { added, reads, sources: rows });
  }
  return begun;
}

/** Most families are quiet in most steps. */
function hasRows(rows: FamilyRows): boolean {
  return (
    rows.history.length > 0 ||
    rows.movements.length > 0 ||
    rows.sharePrices.length > 0 ||
    rows.pools.length > 0 ||
    rows.custody.length > 0 ||
    rows.queues.length > 0 ||
    rows.requests.length > 0 ||
    rows.depositRequests.length > 0 ||
    rows.governance.length > 0 ||
    rows.notices.length > 0 ||
    rows.flowFits.length > 0 ||
    rows.freeMints.length > 0 ||
    rows.ticks.length > 0
  );
}

export function insertRows(tx: Queryable, chainId: number, rows: FamilyRows): Promise<unknown>[] {
  const { familyId } = rows.reader;
  return [
    history.insert(tx, familyId, chainId, rows.history),
    historyVaults.insert(tx, familyId, chainId, rows.history),
    movements.insert(tx, familyId, chainId, rows.movements),
    sharePrices.insert(tx, familyId, chainId, rows.sharePrices),
    pools.insert(tx, familyId, chainId, rows.pools),
    custody.insert(
      tx,
      chainId,
      rows.custody.map((row) => ({ ...row, familyId })),
    ),
    walletQueues.insert(tx, familyId, chainId, rows.queues),
    redeemRequests.insert(tx, familyId, chainId, rows.requests),
    depositRequests.insert(tx, familyId, chainId, rows.depositRequests.map(toRequest)),
    governance.insert(tx, familyId, chainId, rows.governance),
    notices.insert(tx, familyId, chainId, rows.notices),
    flowFits.insert(tx, familyId, chainId, rows.flowFits),
    freeMints.insert(tx, familyId, chainId, rows.freeMints),
    storeFoundPools(tx, familyId, chainId, rows.ticks.flatMap(foundPoolsOf)),
    chainTicks.insert(tx, familyId, chainId, rows.ticks),
  ];
}

/** Returns each block once, with its first instant. */
export function tickBlocksOf(rows: readonly Pick<FamilyRows, 'ticks'>[]): TickBlock[] {
  const found = new Map<number, TickBlock>();
  for (const { ticks } of rows) {
    for (const { at, block: number, hash = null } of ticks) {
      const known = found.get(number);
      const first = Math.min(at, known?.at ?? at);
      found.set(number, { number, at: first, hash: hash ?? known?.hash ?? null });
    }
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}

function toRequest({
  place,
  controller: wallet,
  requestId,
  assets,
}: FamilyRows['depositRequests'][number]) {
  return { place, wallet, requestId: requestId ?? null, assets };
}

/**
 * Returns the error of a vault that reverted or returned invalid data. It has no ticks, and no other family waits for
 * it.
 */
function errorOf({
  reader: { source },
  unreadAt,
  ticks,
}: FamilyRows): { key: string; error: string | null }[] {
  if (unreadAt === null && ticks.length === 0) return [];
  if (unreadAt === null) return [{ key: source.key, error: null }];
  const { unread, block } = unreadAt;
  const error = `${source.key} on chain ${source.chainId}: ${unread} at block ${block}`;
  return [{ key: source.key, error }];
}

function rateOf({ reader: { source }, ticks }: FamilyRows): { key: string; at: number }[] {
  const at = ticks.at(-1)?.state.rateUpdatedAt;
  return at === undefined ? [] : [{ key: source.key, at }];
}

/** Returns the pools of vaults that declare them in their state instead of in events. */
function foundPoolsOf({ at, block, state: { found } }: ReadTick): FoundAt[] {
  return found === undefined ? [] : [{ at, block, pools: found }];
}

/** Returns the families with new events. The newest share price counts, because it is served. */
function familiesWithChanges(step: Step): number[] {
  return step.families.filter(hasChanges).map((rows) => rows.reader.familyId);
}

function hasChanges({ history, pools, sharePrices, governance }: FamilyRows): boolean {
  return history.length + pools.length + sharePrices.length + governance.length > 0;
}

/**
 * Folds rows that waited only for a source that is no longer readable. Without it they would wait for the next step of
 * another source.
 */
export async function foldWaiting(
  tx: Queryable,
  candidates: readonly FamilyToFold[],
): Promise<MadeTicks> {
  const locked = await lockFamilies(tx, candidates);
  const due = await families.getDue(tx, candidates);
  const rows = locked.filter(({ familyId }) => due.has(familyId));
  return foldFamilies(tx, rows, Number.POSITIVE_INFINITY, candidates, new Map());
}

/**
 * Locks the families before reading what is due. Of two chains that commit at once, the second then sees the rows of
 * the first. Otherwise each could find the other behind, and neither would fold.
 */
function lockFamilies(tx: Queryable, candidates: readonly FamilyToFold[]): Promise<FamilyRow[]> {
  return families.lock(
    tx,
    candidates.map(({ familyId }) => familyId),
  );
}

async function foldFamilies(
  tx: Queryable,
  locked: readonly FamilyRow[],
  /** Time of the first state that the step added. */
  fromTime: number,
  candidates: readonly FamilyToFold[],
  begun: ReadonlyMap<number, BegunFold>,
): Promise<MadeTicks> {
  const made: MadeTicks = [];
  const byId = new Map(candidates.map((family) => [family.familyId, family]));
  for (const row of locked) {
    const family = byId.get(row.familyId)!;
    const fold = begun.get(row.familyId);
    const rows = await (fold?.sources ?? sources.getOfFamily(tx, row.familyId, family.feed));
    const until = knownUntil(rows);
    const after = Math.min(row.tickUntil, fromTime - 1);
    const { assetDecimals } = row;
    const hasTicks = until > after && assetDecimals !== null;
    const [ticks] = await Promise.all([
      hasTicks ? foldTicks(tx, { ...family, assetDecimals }, rows, after, until) : undefined,
      foldPositions(tx, row, until, fold?.added ?? [], fold?.reads),
    ]);
    if (ticks !== undefined) made.push({ family, ticks });
  }
  return made;
}

/** Returns the families with new rows in this step, and those with rows that it unblocked. */
async function familiesToFold(
  tx: Queryable,
  step: Step,
  fresh: ReadonlySet<number>,
  candidates: readonly FamilyToFold[],
): Promise<number[]> {
  const priced = new Set(step.prices.filter(({ rows }) => rows.length > 0).map(({ feed }) => feed));
  const due = await families.getDue(tx, candidates);
  return candidates
    .filter(
      ({ familyId, feed }) => due.has(familyId) || fresh.has(familyId) || priced.has(feed ?? ''),
    )
    .map(({ familyId }) => familyId);
}
