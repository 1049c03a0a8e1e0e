import type { Session } from '../migrate.ts';
import { PUBLICATION } from './publication.ts';
import { SLOTS, type Slot } from './slots.ts';

/** State of logical replication, as PostgreSQL reports it. */
export interface Replication {
  /** Version of the published tables; null: there is no publication. */
  readonly version: number | null;
  readonly walLevel: string;
  readonly slots: readonly Slot[];
}

/** Requires a store on which all migrations have run. */
export async function inspectReplication(session: Session): Promise<Replication> {
  const { rows } = await session.exec(
    `select current_setting('wal_level') as "walLevel",
       (select v.version from publication_version v join pg_publication p on p.pubname = v.publication
        where v.publication = '${PUBLICATION}') as version`,
  );
  const [state] = rows as unknown as [Omit<Replication, 'slots'>];
  return { ...state, slots: (await session.exec(SLOTS)).rows as unknown as Slot[] };
}
