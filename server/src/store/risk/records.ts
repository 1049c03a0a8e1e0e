import type { RiskEdge, RiskNode } from '../../domain/risk/graph.ts';
import type { Citation, RecordNames, RiskSource, SourcedRecord } from '../../domain/risk/record.ts';
import { textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import type { GraphWrite } from './change.ts';
import { holds, isNewest } from './version.ts';

/** A stored record: `body` is JSON of its facts and edges. */
export interface RecordRow {
  readonly id: string;
  readonly label: string;
  readonly body: string;
  readonly hash: string;
}

/** Rows read at once, while no other query has the connection. */
const PAGE = 2_000;

const hashes = statement(
  'riskRecords.hashes',
  `select id, hash from risk_record r where source = $1 and id > $2 and ${holds('r')} order by id limit ${PAGE}`,
);
const idsOf = statement(
  'riskRecords.idsOf',
  `select distinct id from risk_record r
   where source = any($1::text[]) and id > $2 and ${holds('r')} order by id limit ${PAGE}`,
);
const names = statement(
  'riskRecords.names',
  `select id, body -> 'names' as names from risk_record r
   where source = $1 and id > $2 and body -> 'names' is not null and ${holds('r')} order by id limit ${PAGE}`,
);
const end = statement(
  'riskRecords.end',
  `update risk_record r set to_version = $3 where source = $1 and id = any($2::text[]) and ${isNewest('r')}`,
);
const insert = statement(
  'riskRecords.insert',
  `insert into risk_record (source, id, label, body, hash, updated_at, from_version)
   select $1, id, label, body, hash, $2, $7
   from unnest($3::text[], $4::text[], $5::jsonb[], $6::text[]) as given(id, label, body, hash)`,
);
const ofIds = statement(
  'riskRecords.ofIds',
  `select source, id, label, body, updated_at as "updatedAt" from risk_record r
   where id = any($1::text[]) and ${holds('r', '$2')} order by id, source`,
);

interface Row {
  readonly source: RiskSource;
  readonly id: string;
  readonly label: string;
  readonly body: string;
  readonly updatedAt: number;
}

export const riskRecords = {
  /** The stored records of a source: hash by ID. */
  async getHashes(db: Queryable, source: RiskSource): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let after = ''; ; ) {
      const rows = await db.query<{ id: string; hash: string }>(hashes, [source, after]);
      for (const { id, hash } of rows) found.set(id, hash);
      if (rows.length < PAGE) return found;
      after = rows.at(-1)!.id;
    }
  },
  /** The IDs for which any of these sources has a record. */
  async getIdsOf(db: Queryable, sources: readonly RiskSource[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (let after = ''; ; ) {
      const rows = await db.query<{ id: string }>(idsOf, [textColumn(sources), after]);
      for (const { id } of rows) found.add(id);
      if (rows.length < PAGE) return found;
      after = rows.at(-1)!.id;
    }
  },
  /** Data about a source's nodes that other lists need, by ID. */
  async getNames(db: Queryable, source: RiskSource): Promise<Map<string, RecordNames>> {
    const found = new Map<string, RecordNames>();
    for (let after = ''; ; ) {
      const rows = await db.query<{ id: string; names: string }>(names, [source, after]);
      for (const row of rows) found.set(row.id, JSON.parse(row.names) as RecordNames);
      if (rows.length < PAGE) return found;
      after = rows.at(-1)!.id;
    }
  },
  /** Writes records that are not stored with the same content. */
  async write(tx: GraphWrite, source: RiskSource, now: number, rows: readonly RecordRow[]) {
    if (rows.length === 0) return;
    const ids = textColumn(rows.map(({ id }) => id));
    await tx.query(end, [source, ids, tx.version]);
    await tx.query(insert, [
      source,
      now,
      ids,
      textColumn(rows.map(({ label }) => label)),
      textColumn(rows.map(({ body }) => body)),
      textColumn(rows.map(({ hash }) => hash)),
      tx.version,
    ]);
  },
  async remove(tx: GraphWrite, source: RiskSource, ids: readonly string[]) {
    if (ids.length > 0) await tx.query(end, [source, textColumn(ids), tx.version]);
  },
  /** The records of all sources for these IDs, in the current version or another one. */
  async getOfIds(
    db: Queryable,
    ids: readonly string[],
    version = 0,
  ): Promise<Map<string, SourcedRecord[]>> {
    const rows = await db.query<Row>(ofIds, [textColumn(ids), version]);
    const found = new Map<string, SourcedRecord[]>();
    for (const row of rows) {
      const known = found.get(row.id);
      if (known === undefined) found.set(row.id, [toRecord(row)]);
      else known.push(toRecord(row));
    }
    return found;
  },
};

function toRecord({ source, id, label, body, updatedAt }: Row): SourcedRecord {
  const { facts, edges, citations } = JSON.parse(body) as {
    facts: unknown;
    citations?: Record<string, Citation>;
    edges: readonly [RiskEdge['type'], string, number][];
  };
  return {
    source,
    updatedAt,
    node: { id, label, facts } as RiskNode,
    edges: edges.map(([type, targetId, weight]) => ({ type, sourceId: id, targetId, weight })),
    ...(citations !== undefined && { citations }),
  };
}
