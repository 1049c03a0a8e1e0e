import type { RiskNode } from '../../domain/risk/graph.ts';
import type { MergedNode } from '../../domain/risk/record.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';

const PAGE = 5_000;

// The rows as they were before are seen beside the write: told are those whose facts are new.
const upsert = statement(
  'riskNodes.upsert',
  `with given as (select * from unnest($1::text[], $2::text[], $3::jsonb[], $4::jsonb[], $5::bigint[])
       as given(id, label, facts, sources, updated_at)),
     written as (insert into risk_node (id, label, facts, sources, updated_at) select * from given
       on conflict (id) do update set label = excluded.label, facts = excluded.facts, sources = excluded.sources,
         updated_at = greatest(risk_node.updated_at, excluded.updated_at)
       where (risk_node.label, risk_node.facts, risk_node.sources) is distinct from
           (excluded.label, excluded.facts, excluded.sources)
         or risk_node.updated_at < excluded.updated_at)
   select given.id, held.id is null as "created" from given left join risk_node held on held.id = given.id
   where held.id is null or (held.label, held.facts) is distinct from (given.label, given.facts)`,
);
const remove = statement(
  'riskNodes.remove',
  'delete from risk_node where id = any($1::text[]) returning id',
);
const page = statement(
  'riskNodes.page',
  `select id, label, facts from risk_node where id > $1 order by id limit ${PAGE}`,
);
const ofIds = statement(
  'riskNodes.ofIds',
  'select id, label, facts from risk_node where id = any($1::text[])',
);
const counts = statement(
  'riskNodes.counts',
  'select label, count(*) as "count" from risk_node group by label order by label',
);

interface Row {
  readonly id: string;
  readonly label: string;
  readonly facts: string;
}

export const riskNodes = {
  /** Writes what differs; the result are the nodes whose facts changed, and whether they are new. */
  async upsert(
    tx: Queryable,
    rows: readonly MergedNode[],
  ): Promise<{ readonly id: string; readonly created: boolean }[]> {
    if (rows.length === 0) return [];
    return tx.query(upsert, [
      textColumn(rows.map(({ node }) => node.id)),
      textColumn(rows.map(({ node }) => node.label)),
      textColumn(rows.map(({ node }) => JSON.stringify(node.facts))),
      textColumn(rows.map(({ sources }) => JSON.stringify(sources))),
      intColumn(rows.map(({ lastUpdatedAt }) => lastUpdatedAt)),
    ]);
  },
  /** The result are those that were there. */
  async remove(tx: Queryable, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await tx.query<{ id: string }>(remove, [textColumn(ids)]);
    return rows.map(({ id }) => id);
  },
  /** Every node, a page at a time. */
  async *getAll(db: Queryable): AsyncGenerator<RiskNode[]> {
    for (let after = ''; ; ) {
      const rows = await db.query<Row>(page, [after]);
      yield rows.map(toNode);
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.id;
    }
  },
  async getOfIds(db: Queryable, ids: readonly string[]): Promise<RiskNode[]> {
    const found: RiskNode[] = [];
    for (let at = 0; at < ids.length; at += PAGE) {
      const rows = await db.query<Row>(ofIds, [textColumn(ids.slice(at, at + PAGE))]);
      for (const row of rows) found.push(toNode(row));
    }
    return found;
  },
  /** How many there are, by label. */
  async getCounts(db: Queryable): Promise<Map<string, number>> {
    const rows = await db.query<{ label: string; count: number }>(counts);
    return new Map(rows.map(({ label, count }) => [label, count]));
  },
};

function toNode({ id, label, facts }: Row): RiskNode {
  return { id, label, facts: JSON.parse(facts) } as RiskNode;
}
