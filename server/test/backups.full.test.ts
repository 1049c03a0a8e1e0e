import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type RunningCommand, runCommand, startCommand } from './commandLine.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const COMPLETE = /^\d{8}T\d{6}Z$/;
const DRAFT = /^\d{8}T\d{6}Z\.draft-/;
const PATIENT = { timeout: 60_000 };

let served: ServedWorld;
let folder: string;
let server: RunningCommand | undefined;
beforeAll(async () => {
  served = await serveWorld({ seed: 'backups' });
  folder = await mkdtemp(join(tmpdir(), 'assay-scheduled-'));
});
afterAll(async () => {
  await server?.end('SIGKILL');
  await served?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

describe('assay start with scheduled backups, and its secrets in files', () => {
  test('default: after a kill during a backup, the next start makes a complete one that can be restored', async () => {
    const backups = join(folder, 'backups');
    const secrets = join(folder, 'secrets');
    const storeFolder = join(folder, 'store');
    await mkdir(backups);
    await mkdir(secrets);
    // One RPC URL comes from a variable that names a file, the others from the service's credentials.
    const rpc = served.world.chains.map(({ chainId }) => [chainId, [`\${RPC_${chainId}}`]]);
    for (const { chainId } of served.world.chains) {
      await writeFile(join(secrets, `RPC_${chainId}`), `${served.urlOf(chainId)}\n`);
    }
    await rename(join(secrets, 'RPC_8453'), join(folder, 'base'));
    const env = { CREDENTIALS_DIRECTORY: secrets, RPC_8453_FILE: join(folder, 'base') };
    const file = join(folder, 'assay.yaml');
    const yaml = served.yaml({ storeFolder, rpc: Object.fromEntries(rpc) });
    const backup = { every: '24h', keep: 1, folder: backups };
    await writeFile(file, `${yaml}\n${stringify({ backup })}`);
    const start = () => startCommand(['start', '--config', file], env);

    server = start();
    const killed = new Promise((resolve) => {
      const watcher = watch(backups, (_, name) => {
        if (!DRAFT.test(name ?? '')) return;
        watcher.close();
        resolve(server!.end('SIGKILL'));
      });
    });
    await killed;
    expect((await readdir(backups)).filter((name) => DRAFT.test(name))).toHaveLength(1);
    expect((await readdir(backups)).filter((name) => COMPLETE.test(name))).toEqual([]);

    server = start();
    await server.says(/"msg":"the scheduled backup is complete"/, 60);
    await server.says(/"msg":"the API is ready"/);
    const [name, ...others] = await readdir(backups);
    expect(others).toEqual([]);
    expect(name).toMatch(COMPLETE);
    const access = JSON.parse(await readFile(join(storeFolder, 'admin.json'), 'utf8'));
    const metrics = async () =>
      (await fetch(`http://127.0.0.1:${access.port}/metrics`).then((one) => one.text())).match(
        /^assay_backup_\w+ \d+$/gm,
      );
    expect(await metrics()).toEqual([
      'assay_backup_failures_total 0',
      expect.stringMatching(/^assay_backup_age_seconds \d+$/),
      'assay_backup_every_seconds 86400',
    ]);
    const doctor = await runCommand(['doctor', '--config', file], env);
    expect(doctor.out).toMatch(/^ok +backup: the newest of 1 in .* is 0\.\d hours old$/m);
    const said = server.output() + server.errors() + doctor.out + doctor.err;
    for (const { chainId } of served.world.chains)
      expect(said).not.toContain(served.urlOf(chainId));
    expect(await server.end('SIGTERM')).toBe(0);

    // Restores as the guide describes. Data indexed since the backup is indexed again.
    await rename(storeFolder, `${storeFolder}.old`);
    await rename(join(backups, name!), storeFolder);
    server = start();
    const [, port] = await server.says(/"port":(\d+),"msg":"the API is ready"/);
    const ready = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
    await expect.poll(ready, PATIENT).toBe(200);
    const verified = await runCommand(['verify', '--config', file, '--seed', 'abc'], env);
    expect(verified.out).toMatch(/figures of \d families compared: 0 different, 0 not checked/);
    expect(verified.code).toBe(0);
  }, 300_000);
});
