import type pg from 'pg';
import type { HostReport } from './choosePrimary.ts';
import { cut, end } from './heartbeat.ts';
import { connect, exec, readTimeline, TIMELINE } from './postgresClient.ts';
import { StatementFailed } from './statementFailed.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

const SERVER = 'pg_postmaster_start_time()::text as server';
const CLUSTER = '(select system_identifier::text from pg_control_system()) as cluster';
const MAY_NOT = '42501';

/** Queries the role of one host repeatedly, over one connection. */
export interface HostWatch {
  /** Throws StoreUnavailable if the host does not report in time. */
  read(): Promise<HostReport>;
  close(): Promise<void>;
}

export function createHostWatch(url: string, timeoutMs: number): HostWatch {
  let client: pg.Client | undefined;
  let columns = [TIMELINE, SERVER, CLUSTER];
  let closed = false;
  return { read, close };

  async function read(): Promise<HostReport> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      if (client !== undefined) cut(client);
    }, timeoutMs);
    try {
      client ??= await connect(url, timeoutMs);
      if (late || closed) throw new StoreUnavailable('silent');
      return await report(client);
    } catch (error) {
      if (client !== undefined) cut(client);
      client = undefined;
      throw late ? new StoreUnavailable('silent') : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function report(asked: pg.Client): Promise<HostReport> {
    try {
      const { rows } = await exec(asked, `select ${columns.join(', ')}`);
      const { server, cluster = null } = rows[0] as Pick<HostReport, 'server' | 'cluster'>;
      return { url, timeline: readTimeline(rows), server, cluster };
    } catch (error) {
      const refused = error instanceof StatementFailed && error.code === MAY_NOT;
      if (!refused || !columns.includes(CLUSTER)) throw error;
      columns = [TIMELINE, SERVER];
      return report(asked);
    }
  }

  async function close(): Promise<void> {
    closed = true;
    if (client !== undefined) await end(client);
  }
}
