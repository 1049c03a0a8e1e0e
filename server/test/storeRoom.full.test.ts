import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { step } from '../../devnet/src/index.ts';
import { startChildUnder } from './childProcess.ts';
import { type RunningCommand, runCommand, startCommand, startCommandUnder } from './commandLine.ts';
import { withDatabase } from './database.ts';
import { freePort } from './freePort.ts';
import { diskOf, HAS_SMALL_DISKS, onSmallDisk } from './ownDisk.ts';
import { startTestApp, statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const MB = 1_048_576;

let served: ServedWorld;
let folder: string;
beforeAll(async () => {
  served = await serveWorld({ seed: 'store room' });
  folder = await mkdtemp(join(tmpdir(), 'assay-room-'));
}, 60_000);
afterAll(async () => {
  await served?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

async function json(url: string) {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function goOn(): Promise<void> {
  for (const { chainId, chain } of served.world.chains) {
    await step(served.world, chainId, chain.tip.time + 400);
  }
}

function end(command: RunningCommand): RunningCommand {
  onTestFinished(async () => void (await command.end('SIGKILL')));
  return command;
}

describe('an embedded database on a disk that is almost full', () => {
  test('behavior: indexing pauses until there is space, reads continue, and the state is reported everywhere', async () => {
    const metricsPort = await freePort();
    const config = served.config({ edit: ({ http }) => Object.assign(http, { metricsPort }) });
    let free = 200;
    await withDatabase('pglite', async (database) => {
      const store = { ...database.config, minFreeBytes: 100 };
      const more = { readFreeBytes: async () => free };
      const app = await startTestApp(config, store, [], more);
      onTestFinished(app.stop);
      const metric = async () => {
        const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        return /^assay_store_writes_paused (.*)$/m.exec(text)?.[1];
      };
      const indexed = async () => (await app.status()).map(({ indexedBlock }) => indexedBlock);
      await app.until(statusLiveAt(served.heads()));
      await expect.poll(() => app.readyStatus()).toBe(200);
      expect(await metric()).toBe('0');

      free = 99;
      await expect.poll(metric, { timeout: 20_000 }).toBe('1');
      const storage = { state: 'low', freeBytes: 99, minFreeBytes: 100 };
      expect(await json(`${app.url}/v1/status`)).toMatchObject({ status: 200, body: { storage } });
      expect(await json(`${app.url}/health/ready`)).toMatchObject({
        status: 200,
        body: { storage },
      });
      expect((await json(`${app.url}/v1/vaults`)).status).toBe(200);
      const before = await indexed();
      await goOn();
      // Above the minimum, but not enough to resume.
      free = 110;
      await expect
        .poll(async () => (await json(`${app.url}/v1/status`)).body, { timeout: 20_000 })
        .toMatchObject({ storage: { state: 'low', freeBytes: 110 } });
      expect(await indexed()).toEqual(before);

      free = 130;
      await app.until(statusLiveAt(served.heads()));
      expect(await metric()).toBe('0');
      expect(app.logs().match(/almost full/g)).toHaveLength(1);
      expect(app.logs().match(/has free space again/g)).toHaveLength(1);
    });
  }, 120_000);

  describe.runIf(HAS_SMALL_DISKS)('on a separate disk', () => {
    test('behavior: it stops and resumes by itself', async () => {
      const disk = join(folder, 'small');
      const config = join(folder, 'small.yaml');
      const minFreeBytes = 60 * MB;
      const yaml = served.yaml({
        edit: (file) => Object.assign(file.store, { folder: join(disk, 'store'), minFreeBytes }),
      });
      await writeFile(config, yaml);
      const command = end(startCommandUnder(onSmallDisk(disk, 300), ['start', '--config', config]));
      const [, port] = await command.says(/"port":(\d+),"msg":"the API is ready"/, 120);
      const url = `http://127.0.0.1:${port}`;
      const storage = async () => (await json(`${url}/v1/status`)).body.storage;
      expect(await storage()).toMatchObject({ state: 'ok', minFreeBytes });
      const ballast = join(diskOf(command.pid, disk), 'ballast');
      const { freeBytes } = (await storage()) as { freeBytes: number };
      await writeFile(ballast, Buffer.alloc(freeBytes - 40 * MB, 1));
      await command.says(/the disk of store.folder is almost full/, 60);
      expect(await storage()).toMatchObject({ state: 'low' });
      expect((await json(`${url}/v1/vaults`)).status).toBe(200);
      await truncate(ballast, 0);
      await command.says(/has free space again/, 60);
      expect(await storage()).toMatchObject({ state: 'ok' });
      expect(await command.end('SIGTERM')).toBe(0);
    }, 240_000);

    test('error: without the minimum, the database stops when its disk is full', async () => {
      const disk = join(folder, 'full');
      const child = startChildUnder(onSmallDisk(disk, 120), 'fillDisk.ts', join(disk, 'store'));
      onTestFinished(child.kill);
      expect(await child.nextLine()).toBe('open');
      expect(JSON.parse((await child.nextLine()) ?? child.errors())).toEqual({
        outage: 'crashed-full',
        message:
          'the embedded database stopped because its disk is full: free space on the disk of store.folder and restart the process',
      });
    }, 240_000);
  });
});

describe('an embedded database that stopped', () => {
  test('error: the process ends with the reason', async () => {
    const config = join(folder, 'crash.yaml');
    const store = join(folder, 'crash');
    await writeFile(config, served.yaml({ storeFolder: store }));
    const command = end(startCommand(['start', '--config', config]));
    await command.says(/the API is ready/, 120);
    const control = join(store, 'data', 'global', 'pg_control');
    // PostgreSQL panics if it cannot write its control file, and a backup triggers that write.
    await rm(control);
    const to = join(folder, 'copy');
    expect((await runCommand(['backup', '--config', config, '--to', to])).code).not.toBe(0);
    expect(await command.exit).toBe(1);
    const fatal = command
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":"fatal"'));
    expect(fatal).toHaveLength(1);
    expect(JSON.parse(fatal[0]!)).toMatchObject({
      msg: 'the process cannot continue and ends; restart it',
      err: {
        class: 'StoreUnavailable',
        text: 'the embedded database stopped: restart the process',
      },
    });
  }, 180_000);
});
