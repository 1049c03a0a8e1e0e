import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import MiniSearch from 'minisearch';
import type { Node } from './engine.ts';

/** Returns the names of the ten best results. */
export interface Rival {
  readonly name: string;
  /** Number of queries of each kind, and of repetitions; fewer for slow competitors. */
  readonly questions: number;
  readonly goes: number;
  search(q: string): Promise<string[]> | string[];
  close(): Promise<void>;
}

export async function buildMiniSearch(nodes: readonly Node[]): Promise<Rival> {
  const index = new MiniSearch<Node>({
    fields: ['name', 'symbol', 'address'],
    storeFields: ['name'],
    searchOptions: { prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  });
  index.addAll(nodes);
  return {
    name: 'MiniSearch',
    questions: 50,
    goes: 3,
    search: (q) =>
      index
        .search(q)
        .slice(0, 10)
        .map((hit): string => hit.name),
    close: async () => index.removeAll(),
  };
}

export async function buildTrigrams(nodes: readonly Node[]): Promise<Rival> {
  const database = await PGlite.create({ extensions: { pg_trgm } });
  await database.exec('create extension pg_trgm; create table node (name text not null)');
  for (let i = 0; i < nodes.length; i += 20_000)
    await database.query('insert into node select unnest($1::text[])', [
      nodes.slice(i, i + 20_000).map(({ name }) => name),
    ]);
  await database.exec('create index on node using gin (name gin_trgm_ops); analyze node');
  return {
    name: 'pg_trgm in PGlite',
    questions: 15,
    goes: 1,
    async search(q) {
      const { rows } = await database.query<{ name: string }>(
        'select name from node where name % $1 order by similarity(name, $1) desc limit 10',
        [q],
      );
      return rows.map(({ name }) => name);
    },
    close: () => database.close(),
  };
}
