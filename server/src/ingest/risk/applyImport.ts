import { type MergeProblem, mergeRecords } from '../../domain/risk/merge.ts';
import type { MergedEdge, MergedNode, RiskRecord, RiskSource } from '../../domain/risk/record.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import { type RecordRow, riskRecords } from '../../store/risk/records.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { ImportRefused } from './importRefused.ts';
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
  readonly store: Pick<Store, 'transaction'>;
  readonly source: RiskSource;
  readonly records: AsyncIterable<RiskRecord> | Iterable<RiskRecord>;
  readonly grading?: Grading;
  /** Unix seconds. */
  readonly now: number;
  /** Go on though nothing, or less than half of what is held, was read. */
  readonly force?: boolean;
  /** Of what is read, where it is known; kept to see later whether it changed. */
  readonly hash?: string;
  /** What the reader has to say, asked when it is done; kept beside the import. */
  readonly readerReport?: () => unknown;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** Something that was left out, how often, and a few places. */
export interface LeftOut {
  readonly kind: MergeProblem['kind'] | 'two-records' | 'edge-to-nowhere' | 'id-too-long';
  count: number;
  readonly examples: string[];
}

export interface ImportOutcome {
  readonly source: RiskSource;
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Nodes graded again because the import reaches them. */
  readonly regraded: number;
  readonly leftOut: readonly LeftOut[];
}

/** Each batch is merged and written in one go on the event loop. */
const BATCH = 500;
const MOST_EXAMPLES = 10;
/** An index of the store holds keys of some 2 700 bytes; three ids of four bytes a letter stay below. */
const LONGEST_ID = 200;

/**
 * Makes the records what the source says: what it no longer says is gone, what others say stays. Reading comes first,
 * as it may wait for a network; then one transaction writes, merges and grades, so that a failure leaves everything
 * as before. The same records again change nothing, not even a time.
 */
export async function applyImport(given: ApplyImport): Promise<ImportOutcome> {
  const { store, source, force = false } = given;
  const leftOut = createLeftOut();
  const rows = await readAll(given, leftOut);
  return store.transaction(async (tx) => {
    await riskImports.lock(tx);
    const held = await riskRecords.getHashes(tx, source);
    if (!force && (rows.size === 0 || rows.size * 2 < held.size)) {
      throw new ImportRefused(source, rows.size, held.size);
    }
    const fresh = [...rows.values()].filter(({ id, hash }) => held.get(id) !== hash);
    const gone = [...held.keys()].filter((id) => !rows.has(id));
    await storeRecords(tx, given, fresh, gone);
    const touched = [...fresh.map(({ id }) => id), ...gone];
    const changed = await merge(tx, given, touched, new Set(gone), leftOut);
    const { regraded } = await regradeReached(tx, changed, {
      ...given,
      onGraded: (done, total) => given.onProgress?.({ source, phase: 'grading', done, total }),
    });
    const outcome = {
      source,
      read: rows.size,
      added: fresh.filter(({ id }) => !held.has(id)).length,
      changed: fresh.filter(({ id }) => held.has(id)).length,
      removed: gone.length,
      regraded,
      leftOut: leftOut.all(),
    };
    await keepOutcome(tx, given, outcome);
    return outcome;
  });
}

async function readAll(
  { source, records, onProgress }: ApplyImport,
  leftOut: LeftOutList,
): Promise<Map<string, RecordRow>> {
  const rows = new Map<string, RecordRow>();
  let done = 0;
  for await (const record of records) {
    done++;
    if (record.node.id.length > LONGEST_ID) {
      leftOut.add('id-too-long', `${record.node.id.slice(0, 60)}…`);
      continue;
    }
    const row = toRecordRow(withShortTargets(record, leftOut));
    const held = rows.get(row.id);
    if (held !== undefined) leftOut.add('two-records', row.id);
    rows.set(row.id, held === undefined ? row : combineRows(held, row));
    if (done % BATCH === 0) onProgress?.({ source, phase: 'reading', done, total: null });
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
  tx: Queryable,
  { source, now, onProgress }: ApplyImport,
  fresh: readonly RecordRow[],
  gone: readonly string[],
): Promise<void> {
  const total = fresh.length + gone.length;
  for (const batch of batches(gone)) await riskRecords.remove(tx, source, batch);
  let done = gone.length;
  for (const batch of batches(fresh)) {
    await riskRecords.upsert(tx, source, now, batch);
    done += batch.length;
    onProgress?.({ source, phase: 'storing', done, total });
  }
}

/** The touched nodes from all sources anew; the result are the nodes whose grade may be another one now. */
async function merge(
  tx: Queryable,
  { source, now, onProgress }: ApplyImport,
  touched: readonly string[],
  lost: ReadonlySet<string>,
  leftOut: LeftOutList,
): Promise<Set<string>> {
  const changed = new Set<string>();
  const cameOrWent: string[] = [];
  const edges = new Map<string, readonly MergedEdge[]>();
  for (const batch of batches(touched)) {
    const nodes: MergedNode[] = [];
    const records = await riskRecords.getOfIds(tx, batch);
    for (const id of batch) {
      const merged = mergeRecords(records.get(id) ?? []);
      edges.set(id, merged?.edges ?? []);
      if (merged === undefined) continue;
      // That a source is silent now is a change too, though no record tells its time.
      const since = Math.max(merged.node.lastUpdatedAt, lost.has(id) ? now : 0);
      nodes.push({ ...merged.node, lastUpdatedAt: since });
      for (const problem of merged.problems) {
        leftOut.add(problem.kind, [problem.id, problem.targetId].filter(Boolean).join(' → '));
      }
    }
    for (const { id, created } of await riskNodes.upsert(tx, nodes)) {
      changed.add(id);
      if (created) cameOrWent.push(id);
    }
    const without = batch.filter((id) => !records.has(id));
    const removed = await riskNodes.remove(tx, without);
    await riskGrades.remove(tx, removed);
    cameOrWent.push(...removed);
    onProgress?.({ source, phase: 'merging', done: edges.size, total: touched.length });
  }
  // Edges after all nodes: whether they lead anywhere is seen as they are written.
  for (const batch of batches(touched)) {
    const rows = batch.flatMap((id) => edges.get(id)!);
    for (const id of await riskEdges.replaceOf(tx, batch, rows)) changed.add(id);
  }
  for (const batch of batches(cameOrWent)) {
    for (const id of await riskEdges.settle(tx, batch, now)) changed.add(id);
  }
  for (const batch of batches(touched)) {
    for (const { sourceId, type, targetId } of await riskEdges.getDanglingOf(tx, batch)) {
      leftOut.add('edge-to-nowhere', `${sourceId} ${type} → ${targetId}`);
    }
  }
  return changed;
}

async function keepOutcome(tx: Queryable, given: ApplyImport, outcome: ImportOutcome) {
  const { source, now, hash = null } = given;
  const { leftOut, source: _, ...counts } = outcome;
  const changed = outcome.added + outcome.changed + outcome.removed > 0;
  const before = (await riskImports.getAll(tx)).find((row) => row.source === source);
  if (!changed && before !== undefined && before.hash === hash) return;
  const report = { leftOut, reader: given.readerReport?.() ?? null };
  await riskImports.save(tx, { source, at: now, hash, counts, report });
  if (changed) await riskImports.raiseVersion(tx);
}

interface LeftOutList {
  add(kind: LeftOut['kind'], place: string): void;
  all(): readonly LeftOut[];
}

function createLeftOut(): LeftOutList {
  const found = new Map<LeftOut['kind'], LeftOut>();
  return {
    add(kind, place) {
      const entry = found.get(kind) ?? { kind, count: 0, examples: [] };
      found.set(kind, entry);
      entry.count++;
      if (entry.examples.length < MOST_EXAMPLES) entry.examples.push(place);
    },
    all: () => [...found.values()],
  };
}

function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}
