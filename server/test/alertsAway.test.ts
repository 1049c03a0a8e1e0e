import { createServer } from 'node:http';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../src/config/load.ts';
import { enginesFor, withDatabase } from './database.ts';
import { FINE_CHAIN, isFailing, without } from './faultRun.ts';
import { createFaultyRpc, type FaultyRpc } from './faultyRpc.ts';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';
import { type RunningApp, type StatusChain, startTestApp, statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const [BASE, ARBITRUM] = [8453, 42161] as const;
/** Seconds between ticks. */
const TICK = 60;
const ABI = parseAbi([
  'function approve(address spender, uint256 value)',
  'function deposit(uint256 assets, address receiver)',
]);

let served: ServedWorld;
let rpc: FaultyRpc;

describe.each(enginesFor('alerts away'))('alerts of a chain that was away, on %s', (engine) => {
  beforeAll(async () => {
    served = await serveWorld({
      seed: 'alerts away',
      chainIds: [BASE, ARBITRUM],
      families: ['svcusd'],
    });
    rpc = await createFaultyRpc({ target: served.urlOf(ARBITRUM) });
  });
  afterAll(async () => {
    await rpc?.close();
    await served?.close();
  });

  test('behavior: a change is reported with its time when the chain is read again', async () => {
    const receiver = await startReceiver();
    await withDatabase(engine, async (database) => {
      await mine();
      const app = await startTestApp(configFor(receiver.url), database.config);
      try {
        await app.until(statusLiveAt(served.heads()));
        await expect.poll(() => stateOf(app)).toBe('clear');

        await rpc.mode({ kind: 'dead' });
        await app.until(isFailing(ARBITRUM, /./));
        const unseen = await mine({ [ARBITRUM]: 300_000n });
        for (let i = 0; i < 3; i++) await mine();
        const seen = await mine({ [BASE]: 200_000n });
        await app.until(statusLiveAt(without(served.heads(), ARBITRUM)));
        await expect.poll(() => stateOf(app)).toBe('firing');
        expect(await recentOf(app)).toEqual([`fired ${seen} 200000000000`]);
        for (let i = 0; i < 15; i++) await mine();
        const said = () => receiver.lines().map((line) => /^big (\w+)/.exec(line)?.[1]);
        await expect.poll(said).toEqual(['fired', 'cleared']);

        await rpc.mode({ kind: 'none' });
        await app.until(statusLiveAt(served.heads()));
        // Mines blocks, so that there is a data point to evaluate.
        await mine();
        // The other chain's deposit came first. Its alert was still active when the second deposit followed.
        const fired = `fired ${unseen} 300000000000`;
        await expect.poll(async () => (await recentOf(app)).at(-1)).toBe(fired);
        const recent = await recentOf(app);
        expect(recent).toHaveLength(2);
        expect(recent[0]).toMatch(/^cleared/);
        expect(app.logs()).toContain('data that arrived late changed its values');

        await expect.poll(said).toEqual(['fired', 'cleared', 'retracted', 'fired']);
        const iso = new Date(unseen * 1000).toISOString();
        const late = receiver.lines().find((line) => line.includes(`at ${iso}`));
        expect(late).toMatch(/^big fired: svcusd on base, .*, reported \d+[dhm] late$/);
      } finally {
        await app.stop();
      }
    }).finally(receiver.close);
  }, 120_000);

  test('behavior: a family halted on one chain is evaluated with the other chains, and again when it resumes', async () => {
    await withDatabase(engine, async (database) => {
      const started = () => startTestApp(configFor('http://127.0.0.1:9/'), database.config);
      await mine();
      let app = await started();
      try {
        await app.until(statusLiveAt(served.heads()));
        await expect.poll(() => stateOf(app)).toBe('clear');

        // After an error, the server reads the contracts again. These calls then fail.
        await rpc.mode({ kind: 'http500' }, { only: ['eth_getLogs'] });
        await mine();
        await app.until(isFailing(ARBITRUM, /./));
        const refusal = { kind: 'refuse', words: 'execution reverted' } as const;
        await rpc.mode(refusal, { only: ['eth_call'] });
        await app.until((chains) => chains.some(isHalted));
        const unseen = await mine({ [ARBITRUM]: 300_000n });
        for (let i = 0; i < 3; i++) await mine();
        const seen = await mine({ [BASE]: 200_000n });
        await expect.poll(() => stateOf(app)).toBe('firing');
        expect(await recentOf(app)).toEqual([`fired ${seen} 200000000000`]);
        for (let i = 0; i < 15; i++) await mine();
        await expect.poll(() => stateOf(app)).toBe('clear');

        await app.stop();
        await rpc.mode({ kind: 'none' });
        app = await started();
        await app.until(statusLiveAt(served.heads()));
        await mine();
        const fired = `fired ${unseen} 300000000000`;
        await expect.poll(async () => (await recentOf(app)).at(-1)).toBe(fired);
        expect(await recentOf(app)).toHaveLength(2);
      } finally {
        await rpc.mode({ kind: 'none' });
        await app.stop();
      }
    });
  }, 120_000);
});

function isHalted(chain: StatusChain): boolean {
  const { families } = chain as StatusChain & { families: readonly { state: string }[] };
  return chain.chainId === ARBITRUM && families.some(({ state }) => state === 'halted');
}

function configFor(url: string) {
  const rules = [
    { name: 'big', kind: 'large-deposit', above: 150_000, within: '10m', silence: '0s' },
  ];
  const text = served.yaml({
    ticks: { liveSeconds: TICK, backfillSeconds: 3600 },
    chain: { ...FINE_CHAIN, finality: { depth: 64 } },
    rpc: { [ARBITRUM]: [rpc.url] },
    edit: (file) =>
      Object.assign(file, { alerts: { targets: { ops: { slack: `\${ALERT_URL}` } }, rules } }),
  });
  return parseConfig({ file: 'alerts.yaml', text, env: { ALERT_URL: url } });
}

/** Mines the next tick's second on both chains, with deposits in whole assets. Returns that second. */
async function mine(deposits: Readonly<Record<number, bigint>> = {}): Promise<number> {
  const { world } = served;
  const family = world.families[0]!;
  const newest = Math.max(...world.chains.map(({ chain }) => chain.tip.time));
  const time = newest - (newest % TICK) + TICK;
  for (const { chainId, chain, scene } of world.chains) {
    const [wallet] = scene.cast.crowd;
    await chain.exclusive(async () => {
      const assets = deposits[chainId];
      if (assets !== undefined) {
        const { asset } = family.chains.find((one) => one.chainId === chainId)!;
        const vault = family.address;
        const send = (to: Hex, data: Hex) => chain.send({ from: wallet!.address, to, data });
        const encode = (functionName: 'approve' | 'deposit', args: readonly unknown[]) =>
          encodeFunctionData({ abi: ABI, functionName, args } as never);
        await send(asset, encode('approve', [vault, 2n ** 256n - 1n]));
        const value = assets * 10n ** BigInt(family.decimals);
        await send(vault, encode('deposit', [value, wallet!.address]));
      }
      await chain.mine(time);
      // A second is complete only when a later block exists.
      await chain.mine(time + 1);
    });
  }
  return time;
}

/** A service that accepts every message. */
async function startReceiver() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.end('ok');
    });
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}/services/secret`,
    lines: () => bodies.flatMap((body) => (JSON.parse(body) as { text: string }).text.split('\n')),
    close: () => stopServer(server),
  };
}

interface Listed {
  readonly alerts: readonly { readonly state: string }[];
  readonly recent: readonly { readonly status: string; readonly at: number; value: string }[];
}

async function listed(app: RunningApp): Promise<Listed> {
  return (await (await fetch(`${app.url}/v1/alerts`)).json()) as Listed;
}

async function stateOf(app: RunningApp): Promise<string | undefined> {
  return (await listed(app)).alerts[0]?.state;
}

/** Newest first, in Unix seconds. */
async function recentOf(app: RunningApp): Promise<string[]> {
  const { recent } = await listed(app);
  return recent.map(({ status, at, value }) => `${status} ${at} ${value}`);
}
