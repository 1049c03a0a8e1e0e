import { choosePrimary, type HostReport } from './choosePrimary.ts';
import { createHostWatch } from './hostWatch.ts';
import { connect, exec } from './postgresClient.ts';
import { splitHosts } from './postgresHosts.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** The hosts of a DATABASE_URL, with the state that each reports, in its order. */
export interface InspectedHosts {
  /** Undefined: the host does not report. */
  readonly reports: readonly (HostReport | undefined)[];
  readonly split: boolean;
  /** Whether commits on the primary wait for a standby; undefined without a primary. */
  readonly synchronous: boolean | undefined;
}

const LOOK_MS = 5_000;

export async function inspectHosts(url: string): Promise<InspectedHosts> {
  const reports = await Promise.all(splitHosts(url).map(inspectHost));
  const { primary, split } = choosePrimary(
    reports.filter((report) => report !== undefined),
    undefined,
  );
  return { reports, split, synchronous: primary && (await isSynchronous(primary.url)) };
}

async function inspectHost(url: string): Promise<HostReport | undefined> {
  const watch = createHostWatch(url, LOOK_MS);
  try {
    return await watch.read();
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  } finally {
    await watch.close();
  }
}

async function isSynchronous(url: string): Promise<boolean> {
  const client = await connect(url);
  try {
    const text = `select current_setting('synchronous_standby_names') <> '' as is`;
    const { rows } = await exec(client, text, LOOK_MS);
    return rows[0]!.is as boolean;
  } finally {
    await client.end();
  }
}
