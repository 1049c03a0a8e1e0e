import { type Queryable, statement } from '../store.ts';

/** The end version of a row that is still current. */
export const NO_END = Number.MAX_SAFE_INTEGER;

/** SQL: the version that readers see. */
export const CURRENT = '(select coalesce(max(version), 0) from risk_version)';

/** SQL: whether a row belongs to the graph of a version; a parameter of 0 means the current one. */
export function holds(row: string, version: string = CURRENT): string {
  const at = version.startsWith('$')
    ? `coalesce(nullif(${version}::bigint, 0), ${CURRENT})`
    : version;
  return `${row}.from_version <= ${at} and ${row}.to_version > ${at}`;
}

/** SQL: whether a row belongs to the version that is being written, which is the newest one. */
export function isNewest(row: string): string {
  return `${row}.to_version = ${NO_END}`;
}

const version = statement('riskVersion.find', `select ${CURRENT} as "version"`);

/** How often the graph has changed; 0 if it was never filled. */
export async function findVersion(db: Queryable): Promise<number> {
  const [row] = await db.query<{ version: number }>(version);
  return row!.version;
}
