import type { GradeResult } from '../../domain/risk/gradeResult.ts';
import type { RiskNode } from '../../domain/risk/graph.ts';
import type { MergedNode } from '../../domain/risk/record.ts';
import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import { textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { pagesOf } from './pages.ts';
import { CURRENT, holds } from './version.ts';

/** A node with all its stored data. */
export interface GradedNode extends MergedNode {
  readonly graded: GradeResult;
  readonly gradedAt: number;
}

/** Rows read at once, while no other query has the connection. */
const PAGE = 500;

const full = statement(
  'riskRead.nodes',
  `select n.id, n.label, n.facts, n.sources, n.updated_at as "lastUpdatedAt", g.grade, g.score, g.coverage,
     g.breakdown, g.method_version as "methodVersion", g.input_hash as "inputHash", g.graded_at as "gradedAt",
     ${CURRENT} as version
   from risk_node n join risk_grade g on g.id = n.id and ${holds('g')}
   where n.id = any($1::text[]) and ${holds('n')} order by n.id`,
);
/** Maximum dependents read per node: enough to tell a widely used token from its namesakes. */
const MAX_DEPENDENTS = 500;
// A value that is no number is unknown; a protocol on several chains has no chain. The page is cut first, and each
// grade is looked up, because a plan that joins the whole tables would do so for every page.
const outlineOfEach = (nodes: string) =>
  `select n.id, n.label, n.facts->>'name' as "name", n.facts->>'symbol' as "symbol",
     n.facts->>'address' as "address", n.facts->>'uniqueKey' as "uniqueKey",
     coalesce(case n.label when 'Chain' then n.facts->>'slug'
       when 'Protocol' then case when jsonb_typeof(n.facts->'chains') = 'array'
         then case jsonb_array_length(n.facts->'chains') when 0 then null when 1 then n.facts->'chains'->>0
           else 'multichain' end end
       else n.facts->>'chain' end, 'unknown') as "network",
     case when jsonb_typeof(value.json) = 'number' then (value.json#>>'{}')::float8 end as "value",
     case when jsonb_typeof(value.json) is distinct from 'number' then (
       select sum((s.facts->>'tvlUsd')::float8) from (
         select e.source_id from risk_edge e where e.target_id = n.id and ${holds('e')} limit ${MAX_DEPENDENTS}) d
       join risk_node s on s.id = d.source_id and ${holds('s')} and jsonb_typeof(s.facts->'tvlUsd') = 'number'
     ) end as "weight",
     g.grade
   from (select n.* from risk_node n where ${nodes}) n
   left join lateral (select grade from risk_grade g where g.id = n.id and ${holds('g')} limit 1) g on true,
     lateral (select case n.label when 'Asset' then n.facts->'marketCapUsd' else n.facts->'tvlUsd' end as json) value
   order by n.id`;
const outlines = statement(
  'riskRead.outlines',
  outlineOfEach(`n.id > $1 and ${holds('n')} order by n.id limit ${PAGE}`),
);
const outlinesOf = statement(
  'riskRead.outlinesOf',
  outlineOfEach(`n.id = any($1::text[]) and ${holds('n')}`),
);

type OutlineRow = Omit<SearchDoc, 'symbol' | 'address' | 'uniqueKey' | 'weight' | 'grade'> & {
  readonly symbol: string | null;
  readonly address: string | null;
  readonly uniqueKey: string | null;
  readonly weight: number | null;
  /** Null for a node that is not graded yet, which no search returns. */
  readonly grade: SearchDoc['grade'] | null;
};

type FullRow = Omit<GradeResult, 'breakdown'> & {
  readonly id: string;
  readonly label: string;
  readonly facts: string;
  readonly sources: string;
  readonly lastUpdatedAt: number;
  readonly breakdown: string;
  readonly gradedAt: number;
  readonly version: number;
};

/** Nodes of one version of the graph. */
export interface VersionedNodes {
  /** Undefined if none of them exists. */
  readonly version: number | undefined;
  readonly nodes: readonly GradedNode[];
}

export const riskRead = {
  /** The existing nodes with these lower-case IDs, in ID order. */
  async getNodes(db: Queryable, ids: readonly string[]): Promise<VersionedNodes> {
    const rows = await db.query<FullRow>(full, [textColumn(ids)]);
    return { version: rows[0]?.version, nodes: rows.map(toGradedNode) };
  },
  /** An ID in any case. */
  async findNode(db: Queryable, id: string): Promise<GradedNode | undefined> {
    const { nodes } = await riskRead.getNodes(db, [id.toLowerCase()]);
    return nodes[0];
  },
  /** Every node as the search needs it, a page at a time. */
  async *getOutlines(db: Queryable): AsyncGenerator<SearchDoc[]> {
    const ask = (last: OutlineRow | undefined) => db.query<OutlineRow>(outlines, [last?.id ?? '']);
    for await (const rows of pagesOf(PAGE, ask)) yield rows.flatMap(toOutline);
  },
  /** The existing nodes with these lower-case IDs, in ID order. */
  async getOutlinesOf(db: Queryable, ids: readonly string[]): Promise<SearchDoc[]> {
    const rows = await db.query<OutlineRow>(outlinesOf, [textColumn(ids)]);
    return rows.flatMap(toOutline);
  },
};

function toOutline({ symbol, address, uniqueKey, weight, grade, ...row }: OutlineRow): SearchDoc[] {
  if (grade === null) return [];
  const outline = {
    ...row,
    grade,
    ...(symbol !== null && { symbol }),
    ...(address !== null && { address }),
    ...(uniqueKey !== null && { uniqueKey }),
    ...(weight !== null && { weight }),
  };
  return [outline];
}

function toGradedNode(row: FullRow): GradedNode {
  const {
    id,
    label,
    facts,
    sources,
    lastUpdatedAt,
    breakdown,
    gradedAt,
    version: _,
    ...grade
  } = row;
  return {
    node: { id, label, facts: JSON.parse(facts) } as RiskNode,
    sources: JSON.parse(sources),
    lastUpdatedAt,
    graded: { ...grade, breakdown: JSON.parse(breakdown) },
    gradedAt,
  };
}
