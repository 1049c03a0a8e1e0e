import type { Grade, Label } from '../../domain/risk/graph.ts';
import { type Queryable, statement } from '../store.ts';
import { holds } from './version.ts';

/** Nodes of one label that moved from one grade to another when the method changed. */
export interface MethodChangeCount {
  readonly label: Label;
  readonly from: Grade;
  readonly to: Grade;
  readonly count: number;
}

export interface MethodChange {
  readonly id: string;
  readonly label: Label;
  readonly name: string;
  readonly from: Grade;
  readonly to: Grade;
  /** The reasons of its current grade. */
  readonly why: string;
}

// Only grades that the new method gave: a method change that was never completed proves nothing.
const FROM = `from risk_method_change c
   join risk_node n on n.id = c.id and ${holds('n')}
   join risk_grade g on g.id = c.id and ${holds('g')} and g.method_version = c.to_method`;
const methods = statement(
  'riskMethodChanges.methods',
  `select c.from_method as "from", c.to_method as "to", max(c.changed_at) as "at" ${FROM}
   group by c.from_method, c.to_method order by count(*) desc limit 1`,
);
const counts = statement(
  'riskMethodChanges.counts',
  `select n.label, c.from_grade as "from", c.to_grade as "to", count(*) as "count" ${FROM}
   group by n.label, c.from_grade, c.to_grade order by n.label, c.from_grade, c.to_grade`,
);
// The last row of the reasons is "Why this grade?".
const largest = statement(
  'riskMethodChanges.largest',
  `select n.id, n.label, n.facts->>'name' as "name", c.from_grade as "from", c.to_grade as "to",
     g.breakdown->-1->>'answer' as "why" ${FROM},
     lateral (select case n.label when 'Asset' then n.facts->'marketCapUsd' else n.facts->'tvlUsd' end as json) value
   where c.from_grade <> c.to_grade and ($1::text is null or n.label = $1)
   order by case when jsonb_typeof(value.json) = 'number' then (value.json#>>'{}')::float8 end desc nulls last, n.id
   limit $2`,
);

/** The effect of the last method change on the grades. */
export const riskMethodChanges = {
  /** Undefined if no grade was ever given by another method. */
  async findMethods(
    db: Queryable,
  ): Promise<{ readonly from: string; readonly to: string; readonly at: number } | undefined> {
    const [row] = await db.query<{ from: string; to: string; at: number }>(methods);
    return row;
  },
  getCounts: (db: Queryable): Promise<MethodChangeCount[]> => db.query<MethodChangeCount>(counts),
  /** Nodes whose grade changed, the largest by value first. */
  getLargest: (db: Queryable, label: Label | null, most: number): Promise<MethodChange[]> =>
    db.query<MethodChange>(largest, [label, most]),
};
