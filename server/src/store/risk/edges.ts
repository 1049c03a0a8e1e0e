import type { RiskEdge } from '../../domain/risk/graph.ts';
import type { MergedEdge } from '../../domain/risk/record.ts';
import { floatColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const PAGE = 10_000;

const removeOthers = statement(
  'riskEdges.removeOthers',
  `delete from risk_edge e where e.source_id = any($1::text[]) and not exists (
     select 1 from unnest($2::text[], $3::text[], $4::text[]) as kept(source_id, type, target_id)
     where kept.source_id = e.source_id and kept.type = e.type and kept.target_id = e.target_id)
   returning e.source_id as "sourceId"`,
);
// An edge that says the same as before keeps its time, whatever else changed at its node.
const upsert = statement(
  'riskEdges.upsert',
  `insert into risk_edge (source_id, type, target_id, weight, source, dangling, updated_at)
   select source_id, type, target_id, weight, source,
     not exists (select 1 from risk_node n where n.id = given.target_id), updated_at
   from unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::text[], $6::bigint[])
     as given(source_id, type, target_id, weight, source, updated_at)
   on conflict (source_id, type, target_id) do update set weight = excluded.weight, source = excluded.source,
     dangling = excluded.dangling, updated_at = excluded.updated_at
   where (risk_edge.weight, risk_edge.source, risk_edge.dangling) is distinct from
     (excluded.weight, excluded.source, excluded.dangling)
   returning source_id as "sourceId"`,
);
const settle = statement(
  'riskEdges.settle',
  `update risk_edge e set dangling = not e.dangling, updated_at = $2
   where e.target_id = any($1::text[])
     and e.dangling = exists (select 1 from risk_node n where n.id = e.target_id)
   returning e.source_id as "sourceId"`,
);
const danglingOf = statement(
  'riskEdges.danglingOf',
  `select source_id as "sourceId", type, target_id as "targetId" from risk_edge
   where dangling and source_id = any($1::text[]) order by source_id, type, target_id`,
);
const page = statement(
  'riskEdges.page',
  `select source_id as "sourceId", type, target_id as "targetId", weight, updated_at as "lastUpdatedAt"
   from risk_edge where not dangling and (source_id, type, target_id) > ($1, $2, $3)
   order by source_id, type, target_id limit ${PAGE}`,
);

export interface KeptEdge extends RiskEdge {
  readonly lastUpdatedAt: number;
}

type SourceRow = { readonly sourceId: string };

export const riskEdges = {
  /** Makes these the edges of those nodes, and no others; the result are the nodes whose edges changed. */
  async replaceOf(
    tx: Queryable,
    sourceIds: readonly string[],
    rows: readonly MergedEdge[],
  ): Promise<Set<string>> {
    const ids = textColumn(rows.map(({ edge }) => edge.sourceId));
    const types = textColumn(rows.map(({ edge }) => edge.type));
    const targets = textColumn(rows.map(({ edge }) => edge.targetId));
    const removed = await tx.query<SourceRow>(removeOthers, [
      textColumn(sourceIds),
      ids,
      types,
      targets,
    ]);
    if (rows.length === 0) return idsOf(removed);
    const written = await tx.query<SourceRow>(upsert, [
      ids,
      types,
      targets,
      floatColumn(rows.map(({ edge }) => edge.weight)),
      textColumn(rows.map(({ source }) => source)),
      intColumn(rows.map(({ lastUpdatedAt }) => lastUpdatedAt)),
    ]);
    return idsOf([...removed, ...written]);
  },
  /** After nodes came or went: edges to them count or count no more. The result are the nodes that they begin at. */
  async settle(tx: Queryable, targetIds: readonly string[], now: number): Promise<Set<string>> {
    if (targetIds.length === 0) return new Set();
    return idsOf(await tx.query<SourceRow>(settle, [textColumn(targetIds), now]));
  },
  /** Edges of these nodes that lead nowhere. */
  getDanglingOf: (db: Queryable, sourceIds: readonly string[]) =>
    db.query<Omit<RiskEdge, 'weight'>>(danglingOf, [textColumn(sourceIds)]),
  /** Every edge that leads somewhere, a page at a time. */
  async *getAll(db: Queryable): AsyncGenerator<KeptEdge[]> {
    for (let after: readonly string[] = ['', '', '']; ; ) {
      const rows = await db.query<KeptEdge>(page, after);
      yield rows;
      if (rows.length < PAGE) return;
      const last = rows.at(-1)!;
      after = [last.sourceId, last.type, last.targetId];
    }
  },
};

function idsOf(rows: readonly SourceRow[]): Set<string> {
  return new Set(rows.map(({ sourceId }) => sourceId));
}
