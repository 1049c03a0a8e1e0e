import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, type Command, commandsOf } from '../../scripts/docSnippets.ts';
import type { PendingRedeems } from '../src/http/vault/pendingRedeemsSchema.ts';
import { type RunningCommand, runCommand, startCommand } from './commandLine.ts';
import { freePort } from './freePort.ts';
import { type Contract, createLocalChain, type LocalChain } from './realVaults/chain.ts';
import { npmCompiled } from './realVaults/contracts.ts';
import { createWallets, OWNER, startOfPlay } from './realVaults/plainScenario.ts';

const PAGE = 'docs/own-vaults.md';
const ETHER = 10n ** 18n;
const [ANN, BOB] = createWallets(2, 47) as [`0x${string}`, `0x${string}`];

let chain: LocalChain;
let share: Contract;
let queue: Contract;
let folder: string;
let server: RunningCommand | undefined;

beforeAll(async () => {
  chain = await createLocalChain({ chainId: 1, startTime: startOfPlay(2) });
  share = await chain.deploy(OWNER, await npmCompiled('GuideShare'));
  queue = await chain.deploy(OWNER, await npmCompiled('GuideQueue'), [share.address]);
  for (const wallet of [ANN, BOB]) {
    await chain.send(wallet, share, 'approve', [queue.address, 2n ** 255n]);
    await chain.send(wallet, share, 'stake', [30n * ETHER + 7n]);
  }
  await chain.send(OWNER, share, 'setRate', [ETHER + 20_000_000_000_000_003n]);
  chain.advance(20 * 3_600);
  await chain.send(ANN, share, 'stake', [11n * ETHER]);
  for (const wallet of [ANN, BOB]) await chain.send(wallet, queue, 'request', [5n * ETHER + 1n]);
  chain.advance(20 * 3_600);
  await chain.send(ANN, queue, 'claim', [1n]);
  chain.advance(3_600);
  await chain.mine();
  folder = await mkdtemp(join(tmpdir(), 'own-vaults-'));
});

afterAll(async () => {
  await server?.end('SIGTERM');
  await chain?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

/** Returns the page's configuration with real addresses. */
function fileOfPage(): string {
  const [text] = blocksOf(PAGE, 'yaml').filter((block) => block.includes('adapter: rated'));
  const placed: Readonly<Record<string, string>> = {
    'https://rpc.example.com/ethereum': chain.url,
    [`0x${'1'.repeat(40)}`]: share.address,
    [`0x${'2'.repeat(40)}`]: queue.address,
    'startBlock: 21000000': 'startBlock: 1',
  };
  return Object.entries(placed).reduce((all, [shown, real]) => {
    expect(all).toContain(shown);
    return all.replace(shown, real);
  }, text!);
}

test('default: a token without a preset, from the page to a served and verified family', async () => {
  const [port, adminPort] = [await freePort(), await freePort()];
  const placed = (text: string) => text.replace('8081', `${port}`).replace('9465', `${adminPort}`);
  await writeFile(join(folder, 'staked.yaml'), fileOfPage());
  const commands = commandsOf(PAGE, 'bash');
  const answers = new Map<string, unknown>();
  for (const command of commands) await run(command);
  expect(commands.map(({ program, words }) => words[1] ?? program)).toEqual(
    expect.arrayContaining(['check', 'start', 'verify']),
  );

  const rate = await chain.read(share, 'getRate');
  const supply = await chain.read(share, 'totalSupply');
  expect(answers.get('/v1/vaults/staked')).toMatchObject({
    stats: {
      tvl: `${(supply * rate) / ETHER}`,
      assetsPerShare: `${rate}`,
      totalShares: `${supply}`,
    },
  });
  const waiting = (await read(port, `/v1/users/${BOB}/pending-redeems`)) as PendingRedeems;
  expect(waiting.redeems).toMatchObject([{ shares: `${5n * ETHER + 1n}` }]);
  const { families } = (await read(port, `/v1/performance/${ANN}`)) as {
    families: Record<string, string>[];
  };
  const held = await chain.read(share, 'balanceOf', [ANN]);
  const paid = 41n * ETHER + 7n;
  const claimed = ((5n * ETHER + 1n) * rate) / ETHER;
  const [{ sharesBalance, costBasis, realized } = {}] = families;
  expect(sharesBalance).toBe(`${held}`);
  expect(BigInt(costBasis!) - BigInt(realized!)).toBe(paid - claimed);

  async function run({ line, env, program, words }: Command): Promise<void> {
    if (program === 'curl') {
      const path = new URL(words[0]!).pathname;
      answers.set(path, await read(port, path));
      return;
    }
    expect([program, words[0]], line).toEqual(['npx', 'assay']);
    const args = words.slice(1);
    if (args[0] === 'start') {
      const own = Object.entries(env).map(([key, value]) => [key, placed(value)] as const);
      server = startCommand(args, Object.fromEntries(own), folder);
      await server.says(/"port":\d+/, 120);
      await expect.poll(() => isReady(port), { timeout: 120_000 }).toBe(true);
      return;
    }
    const { code, out, err } = await runCommand(args, {}, folder);
    expect(code, `${line}\n${out}${err}`).toBe(0);
  }
});

async function isReady(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200;
}

async function read(port: number, path: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  expect(response.status, path).toBe(200);
  return response.json();
}
