import type { Session } from '../migrate.ts';
import { PUBLICATION_VERSION, PUBLISHED_TABLES } from './publishedTables.ts';

export const PUBLICATION = 'assay';

/**
 * Creates the publication, or changes it to the tables of this version. Never drops it in between, because a slot that
 * reads older parts of the log would not find it. The version is a row of the same transaction, so subscribers receive
 * it at the position in the log where the change takes effect.
 */
export async function publish(session: Session, now: number): Promise<void> {
  const tables = Object.entries(PUBLISHED_TABLES).map(
    ([table, columns]) => `${table} (${columns})`,
  );
  const list = `table ${tables.join(', ')}`;
  const { rows } = await session.exec(
    `select exists (select from pg_publication where pubname = '${PUBLICATION}') as present`,
  );
  const change = rows[0]!.present
    ? `alter publication ${PUBLICATION} set ${list}`
    : `create publication ${PUBLICATION} for ${list} with (publish = 'insert, update, delete', publish_via_partition_root)`;
  await session.exec(
    `begin; ${change};
     insert into publication_version (publication, version, published_at) values ('${PUBLICATION}', ${PUBLICATION_VERSION}, ${now})
     on conflict (publication) do update set version = excluded.version, published_at = excluded.published_at;
     commit`,
  );
}

export async function unpublish(session: Session): Promise<void> {
  await session.exec(
    `begin; drop publication if exists ${PUBLICATION};
     delete from publication_version where publication = '${PUBLICATION}';
     commit`,
  );
}

/**
 * Returns SQL for a subscriber: it creates what is missing, on an empty database or after an upgrade. Only keys have
 * constraints, so that a constraint that is dropped here never stops a subscriber.
 */
export async function subscriberSchema(session: Session): Promise<string[]> {
  const { rows } = await session.exec(
    `select c.relname::text as table, a.attname::text as column, format_type(a.atttypid, a.atttypmod) as type,
       coalesce(a.attnum = any(i.indkey), false) as key
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_index i on i.indrelid = c.oid and i.indisprimary
     where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  );
  const found = rows as unknown as readonly CatalogColumn[];
  return Object.entries(PUBLISHED_TABLES).flatMap(([table, list]) => {
    const columns = list
      .split(', ')
      .map((name) => found.find((one) => one.table === table && one.column === name)!);
    const keys = columns.filter(({ key }) => key);
    const others = columns.filter(({ key }) => !key);
    const typed = ({ column, type }: CatalogColumn) => `${column} ${type}`;
    return [
      `create table if not exists ${table} (${keys.map(typed).join(', ')}, primary key (${keys.map(({ column }) => column).join(', ')}));`,
      `alter table ${table} ${others.map((one) => `add column if not exists ${typed(one)}`).join(', ')};`,
    ];
  });
}

interface CatalogColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly key: boolean;
}
