import type { RiskNode } from '../../domain/risk/graph.ts';
import type { MergedNode } from '../../domain/risk/record.ts';
import { intColumn, textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import type { GraphWrite } from './change.ts';
import { holds, isNewest } from './version.ts';

/** Rows read at once, while no other query has the connection. */
const PAGE = 1_000;

// All parts see the rows as they were before the statement; `changed` marks nodes with new facts.
const write = statement(
  'riskNodes.write',
  `with given as (select * from unnest($1::text[], $2::text[], $3::jsonb[], $4::jsonb[], $5::bigint[])
       as given(id, label, facts, sources, updated_at)),
     differing as materialized (
       select given.id, given.label, given.facts, given.sources, held.id is null as created,
         greatest(held.updated_at, given.updated_at) as updated_at,
         held.id is null or (held.label, held.facts) is distinct from (given.label, given.facts) as changed
       from given left join risk_node held on held.id = given.id and ${isNewest('held')}
       where held.id is null or held.updated_at < given.updated_at
         or (held.label, held.facts, held.sources) is distinct from (given.label, given.facts, given.sources)),
     ended as (update risk_node n set to_version = $6 from differing
       where n.id = differing.id and ${isNewest('n')}),
     written as (insert into risk_node (id, label, facts, sources, updated_at, from_version)
       select id, label, facts, sources, updated_at, $6 from differing)
   select id, created from differing where changed`,
);
const remove = statement(
  'riskNodes.remove',
  `update risk_node n set to_version = $2 where id = any($1::text[]) and ${isNewest('n')} returning id`,
);
const page = statement(
  'riskNodes.page',
  `select id, label, facts from risk_node n where id > $1 and ${holds('n', '$2')} order by id limit ${PAGE}`,
);
const ofIds = statement(
  'riskNodes.ofIds',
  `select id, label, facts from risk_node n where id = any($1::text[]) and ${holds('n', '$2')}`,
);
const counts = statement(
  'riskNodes.counts',
  `select label, count(*) as "count" from risk_node n where ${holds('n', '$1')} group by label order by label`,
  { long: true },
);

interface Row {
  readonly id: string;
  readonly label: string;
  readonly facts: string;
}

export const riskNodes = {
  /** Writes the nodes that differ; returns those whose facts changed, and whether they are new. */
  async write(
    tx: GraphWrite,
    rows: readonly MergedNode[],
  ): Promise<{ readonly id: string; readonly created: boolean }[]> {
    if (rows.length === 0) return [];
    return tx.query(write, [
      textColumn(rows.map(({ node }) => node.id)),
      textColumn(rows.map(({ node }) => node.label)),
      textColumn(rows.map(({ node }) => JSON.stringify(node.facts))),
      textColumn(rows.map(({ sources }) => JSON.stringify(sources))),
      intColumn(rows.map(({ lastUpdatedAt }) => lastUpdatedAt)),
      tx.version,
    ]);
  },
  /** Returns those that existed. */
  async remove(tx: GraphWrite, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await tx.query<{ id: string }>(remove, [textColumn(ids), tx.version]);
    return rows.map(({ id }) => id);
  },
  /** Every node, a page at a time, of the current version or another one. */
  async *getAll(db: Queryable, version = 0): AsyncGenerator<RiskNode[]> {
    for (let after = ''; ; ) {
      const rows = await db.query<Row>(page, [after, version]);
      yield rows.map(toNode);
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.id;
    }
  },
  async getOfIds(db: Queryable, ids: readonly string[], version = 0): Promise<RiskNode[]> {
    const found: RiskNode[] = [];
    for (let at = 0; at < ids.length; at += PAGE) {
      const rows = await db.query<Row>(ofIds, [textColumn(ids.slice(at, at + PAGE)), version]);
      for (const row of rows) found.push(toNode(row));
    }
    return found;
  },
  /** How many there are, by label. */
  async getCounts(db: Queryable, version = 0): Promise<Map<string, number>> {
    const rows = await db.query<{ label: string; count: number }>(counts, [version]);
    return new Map(rows.map(({ label, count }) => [label, count]));
  },
};

function toNode({ id, label, facts }: Row): RiskNode {
  return { id, label, facts: JSON.parse(facts) } as RiskNode;
}
