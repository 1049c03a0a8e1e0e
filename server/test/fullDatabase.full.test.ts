import { afterEach, describe, expect, test } from 'vitest';
import { step } from '../../devnet/src/index.ts';
import { examineStore } from '../src/doctor/examineStore.ts';
import { findRunningServer } from '../src/doctor/runningServer.ts';
import { openPglite } from '../src/store/pglite.ts';
import { StoreUnavailable } from '../src/store/storeUnavailable.ts';
import { databaseUrl, onServer } from './database.ts';
import { freePort } from './freePort.ts';
import { ensurePostgres, findAccount } from './postgresServer.ts';
import { startTestApp, statusLiveAt } from './runningApp.ts';
import { CAN_MOUNT, mountSmallDisk } from './smallDisk.ts';
import { serveWorld } from './world.ts';

const FULL = 'the database is full and rejects writes: free up space on its disk';
const BIG = {
  name: 'test.big',
  text: 'insert into noted select repeat(md5(n::text), 30) from generate_series(1, 2000) as n',
};

describe.skipIf(!CAN_MOUNT)('a full disk, which requires root to mount', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test('behavior: a full PostgreSQL is reported, is still read, and resumes by itself', async () => {
    const served = await serveWorld({ seed: 'full' });
    closing.push(served.close);
    const server = await ensurePostgres();
    closing.push(server.stop);
    const disk = await mountSmallDisk(64, await findAccount());
    closing.push(disk.close);
    await onServer(server.url, `create tablespace small location '${disk.folder}'`);
    await onServer(server.url, 'create database assay tablespace small');
    closing.push(() => onServer(server.url, 'drop database assay with (force)'));
    const adminPort = await freePort();
    const config = served.config();
    const store = { folder: disk.folder, databaseUrl: databaseUrl(server.url, 'assay') };
    const http = { ...config.http, adminPort };
    const app = await startTestApp({ ...config, http }, store);
    closing.push(app.stop);
    await app.until(statusLiveAt(served.heads()));

    await disk.fill();
    const readDatabase = async (path: string) => {
      const response = await fetch(app.url + path);
      const { database } = (await response.json()) as { database: object };
      return { status: response.status, ...database };
    };
    const isFull = { status: 200, state: 'full', reason: FULL };
    await expect
      .poll(
        async () => {
          await advance();
          return readDatabase('/v1/status');
        },
        { timeout: 60_000 },
      )
      .toMatchObject(isFull);
    expect(await readDatabase('/health/ready')).toMatchObject(isFull);
    const vaults = await fetch(`${app.url}/v1/vaults`);
    expect([vaults.status, vaults.headers.get('age')]).toEqual([200, null]);
    const running = await findRunningServer({ http });
    expect(running).toMatchObject({ storeUp: true, storeOutage: 'full' });
    const lines = await examineStore(store, config.chains, running);
    expect(lines).toContainEqual({ ok: false, text: `database: ${FULL}` });

    await disk.free();
    await expect.poll(() => readDatabase('/v1/status')).toMatchObject({ state: 'available' });
    await app.until(statusLiveAt(served.heads()));
    const complaints = app
      .logs()
      .split('\n')
      .filter((line) => /"level":"(warn|error)"/.test(line) && !line.includes('TVL jumped'));
    expect(complaints.map((line) => JSON.parse(line))).toEqual([
      { level: 'warn', time: expect.any(String), outage: 'full', msg: FULL },
    ]);

    async function advance(): Promise<void> {
      for (const { chainId, chain } of served.world.chains) {
        await step(served.world, chainId, chain.tip.time + 400);
      }
    }
  });

  test('behavior: a full PGlite is reported, and resumes when there is space', async () => {
    const disk = await mountSmallDisk(200);
    closing.push(disk.close);
    const store = await openPglite({ folder: disk.folder });
    closing.push(store.close);
    await store.query({ name: 'test.table', text: 'create table noted (text text)' });
    await disk.fill();
    await expect(store.query(BIG)).rejects.toEqual(new StoreUnavailable('full'));
    expect(store.health.outage()).toMatchObject({ outage: 'full' });
    await disk.free();
    await expect.poll(() => store.health.outage()).toBeUndefined();
    await store.query(BIG);
  });
});
