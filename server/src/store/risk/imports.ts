import type { RiskSource } from '../../domain/risk/record.ts';
import { type Queryable, statement } from '../store.ts';
import { findVersion } from './version.ts';

/** Receives the version of the graph whenever a change of it has been committed. */
export const RISK_CHANNEL = 'assay_risk';

export interface ImportRow {
  readonly source: RiskSource;
  readonly at: number;
  /** Total to read; null if its reader does not know it beforehand. */
  readonly hash: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly report: unknown;
}

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

type Row = Omit<ImportRow, 'counts' | 'report'> & { counts: string; report: string };

export const riskImports = {
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
  findVersion,
};
