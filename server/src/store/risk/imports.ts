import type { RiskSource } from '../../domain/risk/record.ts';
import { type Queryable, statement } from '../store.ts';

/** Told the version of the graph whenever a change of it has been committed. */
export const RISK_CHANNEL = 'assay_risk';

export interface ImportRow {
  readonly source: RiskSource;
  readonly at: number;
  /** Of what was read; null where its reader does not know it beforehand. */
  readonly hash: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly report: unknown;
}

// Any constant of its own: two imports at once would each merge without what the other brings.
const lock = statement(
  'riskImports.lock',
  `select pg_advisory_xact_lock(hashtextextended('assay risk ' || current_schema(), 0))`,
);
const upsert = statement(
  'riskImports.upsert',
  `insert into risk_import (source, at, hash, counts, report) values ($1, $2, $3, $4::jsonb, $5::jsonb)
   on conflict (source) do update set at = excluded.at, hash = excluded.hash, counts = excluded.counts,
     report = excluded.report`,
);
const all = statement(
  'riskImports.all',
  'select source, at, hash, counts, report from risk_import order by source',
);
const raise = statement(
  'riskImports.raise',
  `with raised as (insert into risk_version (version) values (1)
     on conflict (single) do update set version = risk_version.version + 1 returning version)
   select pg_notify('${RISK_CHANNEL}', version::text) from raised`,
);
const version = statement('riskImports.version', 'select version from risk_version');

type Row = Omit<ImportRow, 'counts' | 'report'> & { counts: string; report: string };

export const riskImports = {
  /** One change of the graph at a time, until the transaction ends. */
  lock: (tx: Queryable) => tx.query(lock),
  save: (tx: Queryable, row: ImportRow) =>
    tx.query(upsert, [
      row.source,
      row.at,
      row.hash,
      JSON.stringify(row.counts),
      JSON.stringify(row.report),
    ]),
  async getAll(db: Queryable): Promise<ImportRow[]> {
    const rows = await db.query<Row>(all);
    return rows.map((row) => ({
      ...row,
      counts: JSON.parse(row.counts),
      report: JSON.parse(row.report),
    }));
  },
  /** The graph has changed: readers hear of it when the transaction commits. */
  raiseVersion: (tx: Queryable) => tx.query(raise),
  /** How often the graph has changed; 0 for one that was never filled. */
  async findVersion(db: Queryable): Promise<number> {
    const [row] = await db.query<{ version: number }>(version);
    return row?.version ?? 0;
  },
};
