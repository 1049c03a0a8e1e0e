import type { RiskEdge } from '../../domain/risk/graph.ts';
import type { MergedEdge } from '../../domain/risk/record.ts';
import { floatColumn, intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import type { GraphWrite } from './change.ts';
import { pagesOf } from './pages.ts';
import { CURRENT, holds, isNewest } from './version.ts';

/** Rows read at once, while no other query has the connection. */
const PAGE = 1_000;

const removeOthers = statement(
  'riskEdges.removeOthers',
  `update risk_edge e set to_version = $5 where e.source_id = any($1::text[]) and ${isNewest('e')} and not exists (
     select 1 from unnest($2::text[], $3::text[], $4::text[]) as kept(source_id, type, target_id)
     where kept.source_id = e.source_id and kept.type = e.type and kept.target_id = e.target_id)
   returning e.source_id as "sourceId"`,
);
// An unchanged edge keeps its time, whatever else changed at its node.
const write = statement(
  'riskEdges.write',
  `with given as (
       select *, not exists (select 1 from risk_node n where n.id = target_id and ${isNewest('n')}) as dangling
       from unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::text[], $6::bigint[])
         as given(source_id, type, target_id, weight, source, updated_at)),
     differing as materialized (
       select given.* from given left join risk_edge held on held.source_id = given.source_id
         and held.type = given.type and held.target_id = given.target_id and ${isNewest('held')}
       where (held.weight, held.source, held.dangling) is distinct from
         (given.weight, given.source, given.dangling)),
     ended as (update risk_edge e set to_version = $7 from differing d where e.source_id = d.source_id
       and e.type = d.type and e.target_id = d.target_id and ${isNewest('e')})
   insert into risk_edge (source_id, type, target_id, weight, source, dangling, updated_at, from_version)
   select source_id, type, target_id, weight, source, dangling, updated_at, $7 from differing
   returning source_id as "sourceId"`,
);
// Edges of this version were written when its nodes were known, so they are already resolved.
const settle = statement(
  'riskEdges.settle',
  `with ended as (update risk_edge e set to_version = $3
     where e.target_id = any($1::text[]) and ${isNewest('e')} and e.from_version < $3
       and e.dangling = exists (select 1 from risk_node n where n.id = e.target_id and ${isNewest('n')})
     returning e.*)
   insert into risk_edge (source_id, type, target_id, weight, source, dangling, updated_at, from_version)
   select source_id, type, target_id, weight, source, not dangling, $2, $3 from ended
   returning source_id as "sourceId"`,
);
const danglingOf = statement(
  'riskEdges.danglingOf',
  `select source_id as "sourceId", type, target_id as "targetId" from risk_edge e
   where dangling and source_id = any($1::text[]) and ${holds('e', '$2')} order by source_id, type, target_id`,
);
const page = statement(
  'riskEdges.page',
  `select source_id as "sourceId", type, target_id as "targetId", weight, updated_at as "lastUpdatedAt"
   from risk_edge e where not dangling and (source_id, type, target_id) > ($1, $2, $3) and ${holds('e', '$4')}
   order by source_id, type, target_id limit ${PAGE}`,
);

const ofOne = statement(
  'riskEdges.ofOne',
  `select type, target_id as "targetId", updated_at as "lastUpdatedAt", v.version
   from (select ${CURRENT} as version) v
   left join risk_edge e on e.source_id = $1 and not dangling and ${holds('e', 'v.version')}
   order by type collate "C", target_id`,
);

export interface KeptEdge extends RiskEdge {
  readonly lastUpdatedAt: number;
}

/** The edges that begin at a node, in one version of the graph. */
export interface VersionedEdges {
  readonly version: number;
  readonly edges: readonly Omit<KeptEdge, 'sourceId' | 'weight'>[];
}

type OneRow = VersionedEdges['edges'][number] & { readonly version: number };
type SourceRow = { readonly sourceId: string };

export const riskEdges = {
  /** Replaces the edges of these nodes; returns the nodes whose edges changed. */
  async replaceOf(
    tx: GraphWrite,
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
      tx.version,
    ]);
    if (rows.length === 0) return idsOf(removed);
    const written = await tx.query<SourceRow>(write, [
      ids,
      types,
      targets,
      floatColumn(rows.map(({ edge }) => edge.weight)),
      textColumn(rows.map(({ source }) => source)),
      intColumn(rows.map(({ lastUpdatedAt }) => lastUpdatedAt)),
      tx.version,
    ]);
    return idsOf([...removed, ...written]);
  },
  /**
   * Call it after nodes were added or removed, because edges to them start or stop counting. Returns the nodes that
   * they begin at.
   */
  async settle(tx: GraphWrite, targetIds: readonly string[], now: number): Promise<Set<string>> {
    if (targetIds.length === 0) return new Set();
    return idsOf(await tx.query<SourceRow>(settle, [textColumn(targetIds), now, tx.version]));
  },
  /** Edges of these nodes without a target, in the current version or another one. */
  getDanglingOf: (db: Queryable, sourceIds: readonly string[], version = 0) =>
    db.query<Omit<RiskEdge, 'weight'>>(danglingOf, [textColumn(sourceIds), version]),
  /** The current edges with a target, by type and target. */
  async getOf(db: Queryable, sourceId: string): Promise<VersionedEdges> {
    const rows = await db.query<OneRow>(ofOne, [sourceId]);
    const edges = rows.filter(({ targetId }) => targetId !== null);
    return { version: rows[0]!.version, edges };
  },
  /** Every edge with a target, a page at a time, of the current version or another one. */
  async *getAll(db: Queryable, version = 0): AsyncGenerator<KeptEdge[]> {
    yield* pagesOf(PAGE, (last: KeptEdge | undefined) =>
      db.query<KeptEdge>(page, [
        last?.sourceId ?? '',
        last?.type ?? '',
        last?.targetId ?? '',
        version,
      ]),
    );
  },
};

function idsOf(rows: readonly SourceRow[]): Set<string> {
  return new Set(rows.map(({ sourceId }) => sourceId));
}
