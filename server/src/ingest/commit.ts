import type { Tick } from '../domain/series/tick.ts';
import type { Movement } from '../domain/wallet/movement.ts';
import { blocks } from '../store/blocks/blocks.ts';
import { type TickBlock, tickBlocks } from '../store/blocks/tickBlocks.ts';
import { type ChainProgress, chainProgress } from '../store/chains/progress.ts';
import { custody } from '../store/custody/custody.ts';
import { events } from '../store/events/events.ts';
import { eventNotes } from '../store/events/notes.ts';
import { type FamilyRow, families } from '../store/families/families.ts';
import { type Gap, gaps } from '../store/gaps/gaps.ts';
import { governance } from '../store/governance/governance.ts';
import { history } from '../store/history/history.ts';
import { historyVaults } from '../store/history/historyVaults.ts';
import { movements } from '../store/movements/movements.ts';
import { notices } from '../store/notices/notices.ts';
import { type FoundAt, keepFoundPools } from '../store/pools/foundPools.ts';
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
  /** Blocks to remember by hash, and the oldest to keep; null while backfilling below finality. */
  readonly ring: { readonly added: readonly BlockRef[]; readonly keepFrom: number } | null;
  readonly progress: ChainProgress;
  /** Whether the chain is read for the first time. */
  readonly initial: boolean;
  /** Families that this chain's progress can move: those on it, and those priced from it. */
  readonly families: readonly FamilyToFold[];
  /** Of them, those that need not be looked at unless the step has rows of theirs; none by default. */
  readonly settled?: ReadonlySet<number>;
  /** Called once the database has the rows to write. */
  readonly meanwhile?: (() => void) | undefined;
}

export type MadeTicks = { readonly family: FamilyToFold; readonly ticks: readonly Tick[] }[];

export interface Committed {
  readonly made: MadeTicks;
  /** Families of this chain alone of which no row waits any more. */
  readonly settled: readonly number[];
}

/** Events, derived rows, blocks and checkpoint in one transaction. */
export async function commitStep(tx: Queryable, commit: Commit): Promise<Committed> {
  const { step, ring, progress } = commit;
  const fresh = freshIn(step);
  const asked = commit.families.filter(
    ({ familyId }) => fresh.has(familyId) || commit.settled?.has(familyId) !== true,
  );
  const { chainId, to } = step;
  const told = step.families.flatMap(errorOf);
  const read = step.readers.map((reader) => reader.source);
  // All goes together, and first what is short and will be looked at: that is folded while the database writes.
  const locked = lockFamilies(tx, asked);
  const advanced = Promise.all([
    ...(told.length === 0 ? [] : [sources.setErrors(tx, chainId, told, progress.now)]),
    sources.advance(tx, chainId, read, to),
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
    const [folded] = await Promise.all([
      foldFamilies(tx, due, step.fromTime, commit.families, begun),
      families.notify(tx, [...new Set([...ids, ...withNews(step)])]),
    ]);
    return folded;
  }
}

/** No other chain can set rows of such a family free. */
function isAlone({ chainIds, feed }: FamilyToFold): boolean {
  return chainIds.length === 1 && feed === null;
}

/** Families to which the step adds rows that are folded. */
function freshIn(step: Step): ReadonlySet<number> {
  return new Set(
    step.families
      .filter((rows) => rows.movements.length + rows.history.length + rows.ticks.length > 0)
      .map((rows) => rows.reader.familyId),
  );
}

/** Adds the step's rows to the feed, and reports earlier ones that have become final. Last, because the next chain to commit waits for it. */
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
  const families = [...new Set([...withNews(step), ...unpriced])];
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

/** Of families whose state nobody keeps in the step. */
export function gapsOf({
  step,
  progress,
  initial,
}: Pick<Commit, 'step' | 'progress' | 'initial'>): Gap[] {
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
      initial,
    }));
}

/** The fold of a family to which a step adds movements. */
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
    // Whoever comes to wait for them hears of a failure; nobody may.
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
    custody.insert(tx, familyId, chainId, rows.custody),
    walletQueues.insert(tx, familyId, chainId, rows.queues),
    redeemRequests.insert(tx, familyId, chainId, rows.requests),
    depositRequests.insert(tx, familyId, chainId, rows.depositRequests.map(toRequest)),
    governance.insert(tx, familyId, chainId, rows.governance),
    notices.insert(tx, familyId, chainId, rows.notices),
    keepFoundPools(tx, familyId, chainId, rows.ticks.flatMap(looksIn)),
    chainTicks.insert(tx, familyId, chainId, rows.ticks),
  ];
}

/** Each block once, with its first instant. */
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

/** A vault that reverts, or answers what cannot be, makes no ticks: its family is named, and no other waits for it. */
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

/** Only vaults whose pools no event declares are looked at. */
function looksIn({ at, block, state: { found } }: ReadTick): FoundAt[] {
  return found === undefined ? [] : [{ at, block, pools: found }];
}

/** Whose answers change at once: the newest share price is served too. */
function withNews(step: Step): number[] {
  return step.families.filter(hasNews).map((rows) => rows.reader.familyId);
}

function hasNews({ history, pools, sharePrices, governance }: FamilyRows): boolean {
  return history.length + pools.length + sharePrices.length + governance.length > 0;
}

/** Folds what waited only for a source that holds nobody back any more: the others may be quiet for long. */
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
 * Before asking what is due: of two chains that commit together the second then sees what the first wrote. Asked
 * the other way round each may find the other behind, and nobody folds until one of them moves again.
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
  /** From here on a step has added states. */
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

/** Those with something new in this step, and those whose waiting rows it set free. */
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
