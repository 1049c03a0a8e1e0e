import { type Queryable, statement } from './store.ts';

export interface TableSize {
  readonly table: string;
  /** With indexes and out-of-line values. */
  readonly bytes: number;
}

// A partition counts toward its table. A table that is dropped meanwhile has no size.
const sizes = statement(
  'tables.sizes',
  `select root.relname::text as table, sum(pg_total_relation_size(part.oid)) as bytes
   from pg_class part
   join pg_class root on root.oid = coalesce(pg_partition_root(part.oid), part.oid)
   where part.relkind in ('r', 'p', 'm')
     and part.relnamespace = (select oid from pg_namespace where nspname = current_schema())
   group by root.relname order by root.relname`,
);

export const tableSizes = {
  async get(store: Queryable): Promise<TableSize[]> {
    const rows = await store.query<{ table: string; bytes: bigint | null }>(sizes);
    return rows.flatMap(({ table, bytes }) =>
      bytes === null ? [] : [{ table, bytes: Number(bytes) }],
    );
  },
};
