import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROGRAM, runCommand, startCommand } from './commandLine.ts';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';

/** From util-linux, on most Linux systems. */
const SCRIPT = '/usr/bin/script';

let server: Server;
let url: string;
let slugs: string[];
let status: number;
/** Number of reads of the families. */
let reads: number;

beforeEach(async () => {
  [slugs, status, reads] = [['a', 'b'], 200, 0];
  server = createServer((request, response) => {
    const isList = request.url!.startsWith('/v1/vaults');
    if (isList) reads++;
    response.writeHead(isList ? status : 404, { 'content-type': 'application/json' });
    const family = (slug: string) => ({
      ...{ slug, name: slug.toUpperCase(), address: '0x', feederOf: null, assets: null },
      ...{ chains: [], stats: null },
    });
    response.end(JSON.stringify(isList && status === 200 ? slugs.map(family) : { status }));
  });
  url = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
});
afterEach(() => stopServer(server));

const watch = (line: string) => startCommand(line.split(' '), { ASSAY_URL: url });

/** Waits until the current data has been read twice. */
async function readTwice(): Promise<void> {
  const before = reads;
  await expect.poll(() => reads, { timeout: 30_000 }).toBeGreaterThan(before + 2);
}

describe('assay … --watch', () => {
  test('default: one line of JSON per change, until SIGINT', async () => {
    const command = watch('vaults --watch 1');
    await command.says(/\n/);
    await readTwice();
    slugs = ['a', 'c'];
    await command.says(/"c"/);
    await readTwice();
    expect(await command.end('SIGINT')).toBe(0);
    const lines = command.output().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).map((one: { slug: string }) => one.slug))).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
    expect(command.errors()).toBe('');
  });

  test('behavior: as CSV, the header once, and the changed rows', async () => {
    const command = watch('vaults --watch 1 --csv');
    await command.says(/^b,/m);
    slugs = ['a', 'c'];
    await command.says(/^c,/m);
    expect(await command.end('SIGINT')).toBe(0);
    const first = command
      .output()
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',')[0]);
    expect(first).toEqual(['family', 'a', 'b', 'c']);
  });

  test('behavior: selected values, until SIGTERM', async () => {
    const command = watch('vaults --select .[1].slug --watch 1');
    await command.says(/^b\n/);
    slugs = ['x', 'b'];
    await readTwice();
    slugs = ['x', 'c'];
    await command.says(/^c\n/m);
    expect(await command.end('SIGTERM')).toBe(0);
    expect(command.output()).toBe('b\nc\n');
  });

  test('behavior: an unreachable server is reported once, and read again when it is back', async () => {
    const command = watch('vaults --watch 1 --json');
    await command.says(/"b"/);
    status = 503;
    await command.says(/the server returned 503.*; retrying every 1 s\n/);
    await readTwice();
    [status, slugs] = [200, ['c']];
    await command.says(/"c"/);
    expect(await command.end('SIGINT')).toBe(0);
    expect(command.errors().trimEnd().split('\n')).toHaveLength(1);
  });

  test('error: an unreachable server, invalid seconds, and a paid command', async () => {
    const env = { ASSAY_URL: url };
    const away = await runCommand(['vaults', '--watch'], { ASSAY_URL: 'http://127.0.0.1:9' });
    expect(away).toMatchObject({ code: 3, out: '' });
    expect(away.err.trimEnd().split('\n')).toHaveLength(1);
    expect((await runCommand(['vaults', '--watch', '0'], env)).code).toBe(2);
    expect((await runCommand(['vaults', '--watch', '5m'], env)).code).toBe(2);
    const paid = await runCommand(['risk', 'node', 'chain:base', '--watch'], env);
    expect(paid).toMatchObject({ code: 2, err: expect.stringContaining('unknown flag "--watch"') });
  });

  test.runIf(existsSync(SCRIPT))(
    'behavior: on a terminal it redraws, and Ctrl+C ends it',
    async () => {
      const line = `exec ${process.execPath} ${PROGRAM} vaults --watch 1`;
      const child = spawn(SCRIPT, ['-qfec', line, '/dev/null'], {
        env: { PATH: process.env.PATH, ASSAY_URL: url, TERM: 'xterm' },
      });
      let shown = '';
      child.stdout.on('data', (chunk) => {
        shown += chunk;
      });
      const exit = new Promise((resolve) => child.once('close', resolve));
      await expect.poll(() => shown, { timeout: 30_000 }).toMatch(/stop with Ctrl\+C/);
      slugs = ['changed'];
      await expect.poll(() => shown, { timeout: 30_000 }).toContain('changed');
      child.stdin.write('\x03');
      expect(await exit).toBe(0);
      expect(shown).toContain('\x1b[2J\x1b[H');
      // Later screens overwrite the first.
      expect(shown.split('\x1b[2J')).toHaveLength(2);
      expect(shown.split('\x1b[H').length).toBeGreaterThan(2);
    },
  );

  test.runIf(existsSync(SCRIPT))(
    'behavior: assay open starts the browser with the URL',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'assay-browser-'));
      try {
        const [browser, log] = [join(folder, 'browser'), join(folder, 'log')];
        await writeFile(browser, `#!/bin/sh\nprintf '%s|' "$@" > ${log}\n`);
        await chmod(browser, 0o755);
        const line = `exec ${process.execPath} ${PROGRAM} open tvl svcusd --usd`;
        const env = { PATH: process.env.PATH, ASSAY_URL: url, BROWSER: browser };
        const page = `${url}/family/svcusd?chart=tvl&interval=day&unit=usd`;
        const open = (command: string) =>
          new Promise((resolve) =>
            spawn(SCRIPT, ['-qfec', command, '/dev/null'], { env, stdio: 'ignore' }).once(
              'close',
              resolve,
            ),
          );
        expect(await open(`${line} --print`)).toBe(0);
        expect(existsSync(log)).toBe(false);
        expect(await open(line)).toBe(0);
        await expect.poll(() => readFile(log, 'utf8').catch(() => '')).toBe(`${page}|`);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
