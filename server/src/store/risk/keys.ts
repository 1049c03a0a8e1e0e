import type { Label } from '../../domain/risk/graph.ts';
import { textColumn } from '../columns.ts';
import { type Queryable, statement } from '../store.ts';
import { holds } from './version.ts';

/** A node that a key names. */
export interface KeyedNode {
  readonly id: string;
  readonly label: Label;
}

/** An address may be in use on hundreds of chains; this many are enough to choose from. */
const MAX_FOUND = 20;

// Each part uses its own index. The last one is for nodes that have only their ID, whose remainder is their key. The
// grade is joined, because a node without one is not served yet.
const find = statement(
  'riskKeys.find',
  `select n.id, n.label from (
     select id from risk_node a where lower(a.facts->>'address') = lower($1) and ${holds('a')}
     union select id from risk_node k where lower(k.facts->>'uniqueKey') = lower($1) and ${holds('k')}
     union select id from risk_node r where r.id = any($2::text[]) and ${holds('r')}
       and r.facts->>'address' is null and r.facts->>'uniqueKey' is null) found
   join risk_node n on n.id = found.id and ${holds('n')}
   join risk_grade g on g.id = n.id and ${holds('g')}
   where $3::bigint is null or exists (select from risk_node c
     where c.id = case n.label when 'Chain' then n.id else 'chain:' || (n.facts->>'chain') end
       and c.facts->'chainId' = to_jsonb($3::bigint) and ${holds('c')})
   order by n.label <> 'Pool', n.id limit ${MAX_FOUND}`,
);

const PREFIXES = ['pool', 'asset', 'protocol', 'chain'];

export const riskKeys = {
  /** Nodes with this address or unique key, in any case, on one chain or on all; pools first. */
  find(db: Queryable, key: string, chainId: number | undefined): Promise<KeyedNode[]> {
    const ids = PREFIXES.map((prefix) => `${prefix}:${key.toLowerCase()}`);
    return db.query<KeyedNode>(find, [key, textColumn(ids), chainId ?? null]);
  },
};
