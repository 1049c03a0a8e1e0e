import { withClient } from '../postgres.ts';
import { createRandom } from '../random.ts';
import type { Edge, Node } from '../risk/engine.ts';
import { makeEdges, makeNodes } from '../risk/names.ts';

const BATCH = 20_000;
const SCORES = { A: 95, B: 80, C: 65, D: 50, E: 35, F: 10 } as const;

/** Adds a generated graph of graded nodes with three edges each. */
export async function fillGraph(url: string, count: number): Promise<void> {
  const random = createRandom(1);
  const nodes = makeNodes(random, count);
  await withClient(url, async (client) => {
    for (const batch of batches(nodes)) {
      const columns = [
        batch.map(({ id }) => id),
        batch.map(({ label }) => label),
        batch.map((node) => JSON.stringify(factsOf(node))),
      ];
      await client.query(
        `insert into risk_node (id, label, facts, sources, updated_at)
         select id, label, facts, '{}', 1790000000 from unnest($1::text[], $2::text[], $3::jsonb[]) as n(id, label, facts)
         on conflict do nothing`,
        columns,
      );
      await client.query(
        `insert into risk_grade (id, grade, score, coverage, breakdown, method_version, input_hash, graded_at)
         select id, grade, score, 0.5, '{}', 'made', '', 1790000000
         from unnest($1::text[], $2::text[], $3::smallint[]) as g(id, grade, score) on conflict do nothing`,
        [columns[0], batch.map(({ grade }) => grade), batch.map(({ grade }) => SCORES[grade])],
      );
    }
    for (const batch of batches(makeEdges(random, nodes))) await insertEdges(client, batch);
    await client.query('vacuum analyze risk_node, risk_grade, risk_edge');
  });
}

async function insertEdges(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  edges: readonly Edge[],
): Promise<void> {
  await client.query(
    `insert into risk_edge (source_id, type, target_id, weight, source, dangling, updated_at)
     select source_id, type, target_id, 1, 'made', false, 1790000000
     from unnest($1::text[], $2::text[], $3::text[]) as e(source_id, type, target_id) on conflict do nothing`,
    [
      edges.map(({ sourceId }) => sourceId),
      edges.map(({ type }) => type),
      edges.map(({ targetId }) => targetId),
    ],
  );
}

function factsOf({ name, symbol, address, network, value, label }: Node): object {
  const figure = label === 'Asset' ? { marketCapUsd: value } : { tvlUsd: value };
  const chain = label === 'Chain' ? { slug: network } : { chain: network };
  return { name, symbol, address, ...chain, ...figure };
}

function* batches<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
