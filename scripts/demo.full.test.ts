import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payForGrades, useFamilies, useFamily, useWallet } from '../dashboard/test/demoPages.ts';
import {
  HOSTILE_QUERY,
  lookAtHostileNames,
  withHostileNames,
} from '../dashboard/test/hostileNames.ts';
import { payWithOwnWallet } from '../dashboard/test/injectedWallet.ts';
import { lookAtPages } from '../dashboard/test/looks.ts';
import { watchDeadChain, watchStop } from '../dashboard/test/outages.ts';
import { LEGACY_API_REMOVAL } from '../server/src/domain/legacyApi.ts';
import { createFaultyRpc, type FaultyRpc } from '../server/test/faultyRpc.ts';
import { freePort } from '../server/test/freePort.ts';
import { publishedClient as yo } from '../server/test/publishedClient.ts';
import { openChromium } from './chromium.ts';
import { findPool, payerOf } from './demoBuyer.ts';
import { type RunnerDeps, runPage } from './docRunner.ts';
import { agrees, PAGES, programOf, readExamples, shownExamples } from './docSnippets.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));

let folder: string;
let env: NodeJS.ProcessEnv;
let browser: Browser;
/** In front of the RPC endpoint of one chain. */
let node: FaultyRpc | undefined;
const children: ChildProcess[] = [];

beforeAll(async () => {
  browser = await openChromium();
  folder = await mkdtemp(join(tmpdir(), 'assay-demo-'));
  const [port, adminPort] = [await freePort(), await freePort()];
  env = { ...process.env, PORT: `${port}`, ADMIN_PORT: `${adminPort}`, DEVNET_PORT: '0' };
  // On a new machine, the browser is installed first.
}, 600_000);

afterAll(async () => {
  await browser?.close();
  await node?.close();
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
}, 60_000);

test('default: the chains run separately, and the server can be killed and started again on them', async () => {
  const devnet = start('devnet/dist/main.js');
  await line(devnet, /ready$/m);
  const demo = JSON.parse(await readFile(join(folder, '.assay/demo.json'), 'utf8'));
  expect((await stat(join(folder, '.assay/demo.json'))).mode & 0o777).toBe(0o600);
  expect(demo.wallets.length).toBeGreaterThanOrEqual(10);
  expect(demo).toMatchObject({
    apiUrl: `http://127.0.0.1:${env.PORT}`,
    adminUrl: `http://127.0.0.1:${env.ADMIN_PORT}`,
    chains: [{ chainId: 8453 }, { chainId: 1 }, { chainId: 42161 }],
    stablecoin: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    blockedWallet: { privateKey: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  });
  expect(demo.families.map(({ slug }: { slug: string }) => slug)).toEqual([
    'svcusd',
    'svceth',
    'svcbtc',
    'svceur',
    'svcgold',
    'svcusd-edge',
  ]);

  const { rpcUrl } = demo.chains[2];
  node = await createFaultyRpc({ target: rpcUrl });
  await changeFile((text) => text.replace(rpcUrl, node!.url));
  let server = await startServer(demo);
  const { chains } = (await (await fetch(`${demo.apiUrl}/v1/status`)).json()) as {
    chains: { name: string; state: string; lastError: unknown }[];
  };
  expect(chains.map(({ name, state, lastError }) => [name, state, lastError])).toEqual([
    ['base', 'live', null],
    ['ethereum', 'live', null],
    ['arbitrum', 'live', null],
    ['optimism', 'unconfigured', null],
  ]);
  const metrics = await (await fetch(`${demo.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(
    /^assay_chain_state\{chain_id="10",chain="optimism",state="unconfigured"\} 1$/m,
  );

  const [request, shown] = await firstRequest();
  const response = await fetch(request.replace('http://127.0.0.1:8080', demo.apiUrl));
  const answered = (await response.json()) as object[];
  expect(answered).toHaveLength(shown.length);
  expect(Object.keys(answered[0]!)).toEqual(Object.keys(shown[0]!));

  await buyFrom(demo);
  await lookAtDashboard(demo);
  const before = await logsRead(demo.adminUrl);
  expect(before).toBeGreaterThan(20_000);
  await typeCheck('docs/pay-for-a-grade.md');
  const printed = await runPages(demo, async (work) => {
    await stop(server, 'SIGTERM');
    await work();
    server = await startServer(demo);
    expect(await logsRead(demo.adminUrl)).toBeLessThan(before / 10);
  });
  const bought = printed.get('docs/pay-for-a-grade.md')!;
  expect(bought).toMatch(/^(deposit|withdraw|redeem|cancel) 0x[0-9a-fA-F]{40} \d+$/m);
  expect(bought).toMatch(/^pool:\S+ [A-F] \[$/m);
  expect(bought).toMatch(/transaction: '0x[0-9a-f]{64}'/);

  const [{ address }] = demo.families;
  expect((await fetch(`${demo.apiUrl}/api/v1/vault/base/${address}`)).status).toBe(410);
  await watchStop(browser, demo, {
    stop: () => stop(server, 'SIGKILL'),
    async start() {
      // From here on, it is not the demo but a regular server, with the legacy API and a high price.
      await changeFile((text) =>
        `${withHostileNames(text)}legacyApi: { until: ${LEGACY_API_REMOVAL} }\n`
          .replace(/^demo: .*\n/m, '')
          .replace(/^payments:\n/m, 'payments:\n  prices: { dependencies: 11 }\n'),
      );
      await startServer(demo);
    },
  });
  await lookAtHostileNames(browser, demo);
  await findPool(demo, HOSTILE_QUERY);
  await payWithOwnWallet(browser, demo, '$11.00');
  // It continues where it stopped: only new blocks are read.
  expect(await logsRead(demo.adminUrl)).toBeLessThan(before / 10);
  await askAsBefore(demo);
  // It runs every step of the guides and opens every page of the dashboard.
}, 600_000);

test('error: the demo does not expose its keys to a network', async () => {
  const devnet = start('devnet/dist/main.js', { HOST: '0.0.0.0' });
  const said = await line(devnet, /loopback/);
  expect(said.trim().split('\n')).toHaveLength(1);
  expect(await new Promise((resolve) => devnet.once('exit', resolve))).toBe(1);
});

interface Demo {
  readonly apiUrl: string;
  readonly adminUrl: string;
  readonly chains: readonly { readonly chainId: number; readonly rpcUrl: string }[];
  readonly families: readonly {
    readonly slug: string;
    readonly address: Hex;
    readonly chains: readonly number[];
  }[];
  readonly wallets: readonly { readonly address: Hex; readonly privateKey: Hex }[];
  readonly blockedWallet: { readonly privateKey: Hex };
}

/** Tests the dashboard in a real browser and keeps the pictures. */
async function lookAtDashboard(demo: Demo): Promise<void> {
  await useFamilies(browser, demo);
  await useFamily(browser, demo);
  await useWallet(browser, demo);
  await payForGrades(browser, demo);
  await lookAtPages(browser, demo, join(ROOT, '.assay/pictures'));
  await watchDeadChain(browser, demo, {
    name: 'arbitrum',
    stop: () => node!.mode({ kind: 'dead' }),
    start: () => node!.mode({ kind: 'none' }),
  });
}

/** Changes the server's configuration, which the devnet has written. */
async function changeFile(change: (text: string) => string): Promise<void> {
  const file = join(folder, '.assay/demo.yaml');
  await writeFile(file, change(await readFile(file, 'utf8')));
}

/** Runs every call of the legacy API's published client, which validates each response, for every indexed vault. */
async function askAsBefore({ apiUrl, families, wallets }: Demo): Promise<void> {
  const api = yo.createApiClient({ baseUrl: apiUrl });
  const { address: wallet } = wallets[0]!;
  for (const { slug, address, chains } of families) {
    for (const network of chains.flatMap((chainId) => yo.CHAIN_ID_TO_NETWORK[chainId] ?? [])) {
      expect(await yo.getVaultSnapshot(api, network, address)).toMatchObject({ id: slug });
      expect(await yo.getVaultYieldTimeseries(api, network, address)).not.toEqual([]);
      expect(await yo.getVaultTvlTimeseries(api, network, address)).not.toEqual([]);
      expect(await yo.getVaultPendingRedeems(api, network, address)).toHaveProperty('assets.raw');
      await yo.getUserPendingRedemptions(api, network, address, wallet);
      await yo.getUserTransactionHistory(api, network, address, wallet, 20);
      await yo.getUserPerformance(api, network, address, wallet);
    }
  }
  expect(await yo.getUserPoints(api, wallet)).toBeNull();
}

/** Buys from the paid routes with the stock client and a wallet of the demo. */
async function buyFrom(demo: Demo): Promise<void> {
  const pay = payerOf(demo.wallets[0]!.privateKey);
  const agent = `${demo.apiUrl}/api/v1/agent`;
  const search = `${agent}/search?q=alpha`;
  const id = await findPool(demo, 'alpha');
  for (const url of [
    search,
    `${agent}/schema`,
    `${agent}/node/${id}`,
    `${agent}/dependencies?nodeId=${id}`,
  ]) {
    expect((await fetch(url)).status, url).toBe(402);
    expect((await pay(url)).status, url).toBe(200);
  }
  const refused = await payerOf(demo.blockedWallet.privateKey)(`${agent}/schema`);
  expect(refused.status).toBe(403);
  const metrics = await (await fetch(`${demo.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^assay_payments_settled_total\{route="dependencies"\} 1$/m);
}

/** Runs every step of the guides, in a folder where the packages resolve as in a clone. */
async function runPages(
  demo: Demo,
  whileStopped: RunnerDeps['whileStopped'],
): Promise<Map<string, string>> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const own = `http://127.0.0.1:${port}`;
  const places = {
    'http://127.0.0.1:8080': demo.apiUrl,
    'http://127.0.0.1:9464': demo.adminUrl,
    'http://127.0.0.1:18453': demo.chains[0]!.rpcUrl,
    'http://127.0.0.1:8081': own,
    '8081': `${port}`,
    '9465': `${adminPort}`,
  };
  const printed = new Map<string, string>();
  const asking = { ...env, ASSAY_URL: demo.apiUrl };
  const deps = { folder, places, env: asking, whileStopped, startServer: startOther };
  expect(await readFile(join(ROOT, 'docs/command-line.md'), 'utf8')).toContain(
    demo.wallets[0]!.address,
  );
  for (const page of PAGES) {
    printed.set(page, await runPage(page, deps));
    if (programOf(page) !== '') expect(printed.get(page), page).not.toBe('');
  }
  const numbers = 'docs/numbers.md';
  const shown = shownExamples(numbers);
  let computed = readExamples(printed.get(numbers)!);
  // A price was published between a value and its formula; the next one comes in five minutes.
  if (!computed.every(agrees)) computed = readExamples(await runPage(numbers, deps));
  expect(computed.filter((example) => !agrees(example))).toEqual([]);
  expect(computed.map(({ name }) => name)).toEqual(shown.map(({ name }) => name));
  return printed;

  async function startOther(args: readonly string[], more: NodeJS.ProcessEnv) {
    const child = start('server/bin/assay.mjs', ...args, more);
    await ready(own);
    return () => stop(child, 'SIGTERM');
  }
}

/** Type-checks the snippets of a guide. */
async function typeCheck(page: string): Promise<void> {
  await mkdir(join(folder, 'node_modules/@assay'), { recursive: true });
  await symlink(join(ROOT, 'client'), join(folder, 'node_modules/@assay/client'));
  await symlink(join(ROOT, 'node_modules/viem'), join(folder, 'node_modules/viem'));
  await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  await writeFile(join(folder, 'grade.mts'), programOf(page));
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'nodenext'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, ...options, '--types', 'node', 'grade.mts'], { cwd: folder });
  expect(programOf(page).trim().split('\n')).toHaveLength(10);
}

async function startServer({ apiUrl }: Demo): Promise<ChildProcess> {
  const server = start('server/bin/assay.mjs', 'start', '--config', '.assay/demo.yaml');
  await ready(apiUrl);
  return server;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

/** Returns the first request in the README and the response that it shows. */
async function firstRequest(): Promise<[url: string, answer: object[]]> {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [, url, answer] = /^curl '(\S+)'\n```\n\n```json\n([\s\S]*?)^```/m.exec(text)!;
  return [url!, JSON.parse(answer!)];
}

function start(file: string, ...rest: (string | NodeJS.ProcessEnv)[]): ChildProcess {
  const args = rest.filter((word) => typeof word === 'string');
  const more = rest.find((word) => typeof word === 'object');
  const child = spawn(process.execPath, [join(ROOT, file), ...args], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

/** Returns the output of a program up to a matching line. */
function line(child: ChildProcess, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (data: Buffer) => {
      said += data;
      if (wanted.test(said)) resolve(said);
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('close', () => reject(new Error(`it ended without saying ${wanted}: ${said}`)));
  });
}

async function ready(apiUrl: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${apiUrl}/health/ready`).catch(() => undefined);
    if (answer?.ok && ((await answer.json()) as { missing: unknown[] }).missing.length === 0)
      return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function logsRead(adminUrl: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const counts = [...text.matchAll(/^assay_ingest_logs_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
