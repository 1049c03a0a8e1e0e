import type { RiskRecord, RiskSource } from '../../domain/risk/record.ts';
import { eventNotes } from '../../store/events/notes.ts';
import { beginChange, type GraphChange } from '../../store/risk/change.ts';
import { withGraphLock } from '../../store/risk/graphLock.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { type RecordRow, riskRecords } from '../../store/risk/records.ts';
import type { Leadership, Queryable, Store } from '../../store/store.ts';
import { findList } from '../lists/index.ts';
import { BATCH, batches, breathe } from './batches.ts';
import type { GradeChange } from './gradeChanges.ts';
import { ImportLosesMost, ImportStopped, ImportTooLarge, MAX_ENTRIES } from './importRefused.ts';
import { createLeftOut, type LeftOut, type LeftOutList } from './leftOut.ts';
import { mergeImport } from './mergeImport.ts';
import { combineRows, toRecordRow } from './recordRow.ts';
import { type Grading, regradeReached } from './regrade.ts';

export interface ImportProgress {
  readonly source: RiskSource;
  readonly phase: 'reading' | 'storing' | 'merging' | 'grading';
  readonly done: number;
  /** Null while unknown. */
  readonly total: number | null;
}

export interface ApplyImport {
  readonly store: Pick<Store, 'query' | 'transaction' | 'lead'>;
  readonly source: RiskSource;
  readonly records: AsyncIterable<RiskRecord> | Iterable<RiskRecord>;
  readonly grading?: Grading;
  /** Unix seconds. */
  readonly now: number;
  /**
   * Imports even if nothing was read, or less than half of the stored nodes; also removes nodes missing from a damaged
   * list.
   */
  readonly force?: boolean;
  /** Hash of the source, if known; stored, so that a change is noticed later. */
  readonly hash?: string;
  /** Called after the last record; the report is stored with the import. `broken`: number of unreadable entries. */
  readonly readerReport?: () => { readonly broken?: number };
  /** Ends the import at the next step, without any change. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportOutcome {
  readonly source: RiskSource;
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Entries of the list that could not be read. */
  readonly broken: number;
  /** Nodes kept as they were, because the list is damaged and may have contained them. */
  readonly kept: number;
  /** Nodes graded again because the import reaches them. */
  readonly regraded: number;
  /** Nodes with a changed grade, each with the facts that changed it. */
  readonly gradeChanges: readonly GradeChange[];
  readonly leftOut: readonly LeftOut[];
}

/** An index entry may have about 2,700 bytes; three ids with four bytes per character stay below that. */
const LONGEST_ID = 200;
/** Maximum changed grades stored per import. */
const MAX_STORED = 100;

/**
 * Replaces the records of one source: records that it no longer has are removed, other sources are not touched.
 * Everything is written, merged, and graded in short steps, under a version that becomes current at once: a failure or
 * a kill changes nothing, and readers run between two steps. Importing the same records again writes nothing, not even
 * a time.
 */
export async function applyImport(given: ApplyImport): Promise<ImportOutcome> {
  const leftOut = createLeftOut();
  const rows = await readAll(given, leftOut);
  return withGraphLock(
    given.store,
    (leadership) => applyRows(given, leadership, rows, leftOut),
    given.signal,
  );
}

async function applyRows(
  given: ApplyImport,
  leadership: Leadership,
  rows: ReadonlyMap<string, RecordRow>,
  leftOut: LeftOutList,
): Promise<ImportOutcome> {
  const { store, source } = given;
  const held = await riskRecords.getHashes(store, source);
  const { fresh, gone, broken, kept } = compare(given, rows, held);
  const counts = {
    read: rows.size,
    added: fresh.filter(({ id }) => !held.has(id)).length,
    changed: fresh.filter(({ id }) => held.has(id)).length,
    removed: gone.length,
    broken,
    kept,
  };
  if (fresh.length + gone.length === 0) {
    const outcome = { source, ...counts, regraded: 0, gradeChanges: [], leftOut: leftOut.all() };
    await leadership.transaction((tx) => keepOutcome(tx, given, outcome));
    return outcome;
  }
  const change = await beginChange(store, leadership);
  try {
    const stoppable = untilStopped(change, given);
    await storeRecords(stoppable, given, fresh, gone);
    const changed = await mergeImport({
      ...{ change: stoppable, lost: new Set(gone), leftOut, now: given.now },
      touched: [...fresh.map(({ id }) => id), ...gone],
      onMerged: (done, total) => given.onProgress?.({ source, phase: 'merging', done, total }),
    });
    const { regraded, gradeChanges } = await regradeReached(store, stoppable, changed, {
      ...given,
      onGraded: (done, total) => given.onProgress?.({ source, phase: 'grading', done, total }),
    });
    const outcome = { source, ...counts, regraded, gradeChanges, leftOut: leftOut.all() };
    await stoppable.finish(async (tx) => {
      await keepOutcome(tx, given, outcome);
      const ids = gradeChanges.map(({ id }) => id);
      await eventNotes.grades(tx, ids, given.now);
    });
    return outcome;
  } catch (error) {
    // If the change cannot be undone now, the next one undoes it, so that stopping a server never waits.
    if (given.signal?.aborted) throw new ImportStopped(source);
    await change.discard().catch(() => undefined);
    throw error;
  }
}

/** Finds the records that are new or changed, and those that the source no longer has. */
function compare(
  { source, force = false, readerReport }: ApplyImport,
  rows: ReadonlyMap<string, RecordRow>,
  held: ReadonlyMap<string, string>,
) {
  if (!force && (rows.size === 0 || rows.size * 2 < held.size)) {
    throw new ImportLosesMost(source, rows.size, held.size);
  }
  const broken = readerReport?.().broken ?? 0;
  const fresh = [...rows.values()].filter(({ id, hash }) => held.get(id) !== hash);
  const gone = [...held.keys()].filter((id) => !rows.has(id));
  if (broken === 0 || force) return { fresh, gone, broken, kept: 0 };
  const added =
    findList(source)?.whenBroken === 'adds' ? fresh.filter(({ id }) => !held.has(id)) : fresh;
  return { fresh: added, gone: [], broken, kept: gone.length + fresh.length - added.length };
}

async function readAll(
  { source, records, signal, onProgress }: ApplyImport,
  leftOut: LeftOutList,
): Promise<Map<string, RecordRow>> {
  const rows = new Map<string, RecordRow>();
  let done = 0;
  for await (const record of records) {
    done++;
    if (done % BATCH === 0) {
      if (signal?.aborted) throw new ImportStopped(source);
      onProgress?.({ source, phase: 'reading', done, total: null });
      await breathe();
    }
    if (record.node.id.length > LONGEST_ID) {
      leftOut.add('id-too-long', `${record.node.id.slice(0, 60)}…`);
      continue;
    }
    const row = toRecordRow(withShortTargets(record, leftOut));
    const held = rows.get(row.id);
    if (held !== undefined) leftOut.add('two-records', row.id);
    rows.set(row.id, held === undefined ? row : combineRows(held, row));
    if (rows.size > MAX_ENTRIES) throw new ImportTooLarge(source, MAX_ENTRIES);
  }
  onProgress?.({ source, phase: 'reading', done, total: done });
  return rows;
}

function withShortTargets(record: RiskRecord, leftOut: LeftOutList): RiskRecord {
  const edges = record.edges.filter(({ targetId }) => targetId.length <= LONGEST_ID);
  if (edges.length === record.edges.length) return record;
  leftOut.add('id-too-long', `an edge of ${record.node.id}`);
  return { ...record, edges };
}

async function storeRecords(
  change: GraphChange,
  { source, now, onProgress }: ApplyImport,
  fresh: readonly RecordRow[],
  gone: readonly string[],
): Promise<void> {
  const total = fresh.length + gone.length;
  let done = 0;
  const step = (count: number) => {
    done += count;
    onProgress?.({ source, phase: 'storing', done, total });
  };
  for (const batch of batches(gone)) {
    await change.write((tx) => riskRecords.remove(tx, source, batch));
    step(batch.length);
  }
  for (const batch of batches(fresh)) {
    await change.write((tx) => riskRecords.write(tx, source, now, batch));
    step(batch.length);
  }
}

async function keepOutcome(tx: Queryable, given: ApplyImport, outcome: ImportOutcome) {
  const { source, now, hash = null } = given;
  const { leftOut, gradeChanges, source: _, ...counts } = outcome;
  const changed = outcome.added + outcome.changed + outcome.removed > 0;
  const before = (await riskImports.getAll(tx)).find((row) => row.source === source);
  if (!changed && before !== undefined && before.hash === hash) return;
  const first = gradeChanges.slice(0, MAX_STORED);
  const report = { leftOut, gradeChanges: first, reader: given.readerReport?.() ?? null };
  const gradesChanged = gradeChanges.length;
  await riskImports.save(tx, {
    source,
    at: now,
    hash,
    counts: { ...counts, gradesChanged },
    report,
  });
}

/** Wraps a change so that it stops once the signal is aborted. */
function untilStopped(change: GraphChange, { source, signal }: ApplyImport): GraphChange {
  function check(): void {
    if (signal?.aborted) throw new ImportStopped(source);
  }
  return {
    ...change,
    async write(work) {
      check();
      return change.write(work);
    },
    async finish(last) {
      check();
      return change.finish(last);
    },
  };
}
