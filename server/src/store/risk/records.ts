import type { RiskEdge, RiskNode } from '../../domain/risk/graph.ts';
import type { Citation, SourcedRecord } from '../../domain/risk/merge.ts';
import type { RiskSource } from '../../domain/risk/record.ts';
import { textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

/** A record as it is kept: `body` is JSON of its facts and edges. */
export interface RecordRow {
  readonly id: string;
  readonly label: string;
  readonly body: string;
  readonly hash: string;
}

/** Enough for one round trip, little enough for one message. */
const PAGE = 5_000;

const hashes = statement(
  'riskRecords.hashes',
  `select id, hash from risk_record where source = $1 and id > $2 order by id limit ${PAGE}`,
);
const others = statement(
  'riskRecords.others',
  `select distinct id from risk_record where source <> $1 and id > $2 order by id limit ${PAGE}`,
);
const upsert = statement(
  'riskRecords.upsert',
  `insert into risk_record (source, id, label, body, hash, updated_at)
   select $1, id, label, body, hash, $2
   from unnest($3::text[], $4::text[], $5::jsonb[], $6::text[]) as given(id, label, body, hash)
   on conflict (source, id) do update set label = excluded.label, body = excluded.body, hash = excluded.hash,
     updated_at = excluded.updated_at where risk_record.hash <> excluded.hash`,
);
const remove = statement(
  'riskRecords.remove',
  'delete from risk_record where source = $1 and id = any($2::text[])',
);
const ofIds = statement(
  'riskRecords.ofIds',
  `select source, id, label, body, updated_at as "updatedAt" from risk_record
   where id = any($1::text[]) order by id, source`,
);

interface Row {
  readonly source: RiskSource;
  readonly id: string;
  readonly label: string;
  readonly body: string;
  readonly updatedAt: number;
}

export const riskRecords = {
  /** What a source has said so far: hash by id. */
  async getHashes(db: Queryable, source: RiskSource): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let after = ''; ; ) {
      const rows = await db.query<{ id: string; hash: string }>(hashes, [source, after]);
      for (const { id, hash } of rows) found.set(id, hash);
      if (rows.length < PAGE) return found;
      after = rows.at(-1)!.id;
    }
  },
  /** The ids that any other source speaks of. */
  async getIdsOfOthers(db: Queryable, source: RiskSource): Promise<Set<string>> {
    const found = new Set<string>();
    for (let after = ''; ; ) {
      const rows = await db.query<{ id: string }>(others, [source, after]);
      for (const { id } of rows) found.add(id);
      if (rows.length < PAGE) return found;
      after = rows.at(-1)!.id;
    }
  },
  async upsert(tx: Queryable, source: RiskSource, now: number, rows: readonly RecordRow[]) {
    if (rows.length === 0) return;
    await tx.query(upsert, [
      source,
      now,
      textColumn(rows.map(({ id }) => id)),
      textColumn(rows.map(({ label }) => label)),
      textColumn(rows.map(({ body }) => body)),
      textColumn(rows.map(({ hash }) => hash)),
    ]);
  },
  async remove(tx: Queryable, source: RiskSource, ids: readonly string[]) {
    if (ids.length > 0) await tx.query(remove, [source, textColumn(ids)]);
  },
  /** What all sources say of these ids. */
  async getOfIds(db: Queryable, ids: readonly string[]): Promise<Map<string, SourcedRecord[]>> {
    const rows = await db.query<Row>(ofIds, [textColumn(ids)]);
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
