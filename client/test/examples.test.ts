import { execFile } from 'node:child_process';
import { readFile as read, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReadServer, type ReadServer } from '../../server/test/readServer.ts';
import * as hooks from '../src/hooks/index.ts';
import * as main from '../src/index.ts';
import * as keystore from '../src/keystore/index.ts';
import { createFileStore } from '../src/node/index.ts';
import * as paid from '../src/pay/actions.ts';
import * as policies from '../src/policies/index.ts';
import * as free from '../src/read/actions.ts';
import * as signer from '../src/signer/index.ts';
import * as watching from '../src/watch/index.ts';
import { KEYSTORE, PASSWORD } from './keystoreFile.ts';
import { listExamples } from './listExamples.ts';

const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<void>;
const examples = listExamples();

let server: ReadServer;
let scope: Readonly<Record<string, unknown>>;
let printed: unknown[][];

beforeAll(async () => {
  server = await openReadServer();
  const { folder, url } = server;
  await writeFile(join(folder, 'key.json'), KEYSTORE);
  const demo = JSON.parse(await read(join(folder, '.assay/demo.json'), 'utf8'));
  const client = main.createClient({ url });
  const payer = main.createPayer({
    signer: privateKeyToAccount(demo.wallets[0].privateKey),
    allow: main.allowDemo(demo),
    budget: { perCall: 2_000_000n, total: 100_000_000n },
    store: main.createMemoryStore(),
  });
  scope = {
    ...{ ...main, ...hooks, ...keystore, ...policies, ...signer, ...watching },
    ...{ client, payer, demo, password: PASSWORD, privateKeyToAccount },
    readFile: (name: string, encoding: 'utf8') => read(join(folder, name), encoding),
    createFileStore: (name: string) => createFileStore(join(folder, name)),
    console: { log: (...values: unknown[]) => printed.push(values) },
  };
  // The risk graph imports the families' pools shortly after the start.
  for (let found = 0; found === 0; await sleep(200)) {
    const asked = main.agentSearch(client, payer, { q: 'alpha', label: 'Pool' });
    found = await asked.then(
      ({ answer }) => answer.length,
      () => 0,
    );
  }
}, 180_000);
afterAll(() => server?.close());

describe('examples', () => {
  test('default: every action has an example', () => {
    const code = examples.map((example) => example.code).join('');
    const names = [...Object.keys(free), ...Object.keys(paid)];
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(code).toContain(`await ${name}(client`);
  });

  test.each(examples)('behavior: $name runs', async ({ code }) => {
    printed = [];
    await new AsyncFunction(...Object.keys(scope), `{${code}}`)(...Object.values(scope));
    expect(printed).not.toEqual([]);
  });
});

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('../examples/buy.mjs', import.meta.url));
/** Always Node; the others if a variable names their program. */
const RUNTIMES: readonly (readonly [name: string, program: string | undefined, args: string[]])[] =
  [
    ['Node', process.execPath, []],
    ['Bun', process.env.ASSAY_BUN, []],
    ['Deno', process.env.ASSAY_DENO, ['run', '--allow-all', '--node-modules-dir=manual']],
  ];

describe.each(RUNTIMES)('examples/buy.mjs on %s', (_, program, args) => {
  test.runIf(program)('default: reads the demo and buys once', async () => {
    const before = await server.earned();
    const { stdout } = await run(program!, [...args, PROGRAM], { cwd: server.folder });
    expect(stdout).toMatch(/^chain:base [A-F] 0x[0-9a-f]{64}\n$/);
    expect((await server.earned()) - before).toBe(50_000n);
  });
});
