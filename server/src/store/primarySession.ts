import type { Session } from './migrate.ts';
import { connect, exec } from './postgresClient.ts';
import { createHosts } from './postgresHosts.ts';
import { createSessionCheck } from './sessionCheck.ts';

/** A separate session on the primary of a PostgreSQL store, for a command that needs no open store. */
export async function onPrimary<T>(
  url: string,
  statementMs: number,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const hosts = createHosts(url);
  try {
    const primary = await hosts.primary();
    await createSessionCheck().require(primary.url);
    const client = await connect(primary.url);
    try {
      return await work({ exec: (text) => exec(client, text, statementMs) });
    } finally {
      await client.end();
    }
  } finally {
    await hosts.close();
  }
}
