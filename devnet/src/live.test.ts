import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeDemoFiles } from './demoFiles.ts';
import { reorgWorld, startLive, step } from './live.ts';
import { serveProviders, serveWorld } from './serve.ts';
import { buildSmallWorld, type World } from './world.ts';

describe('live', () => {
  let world: World;
  let now: number;
  beforeAll(async () => {
    world = await buildSmallWorld({ seed: 'live' });
    now = world.anchor;
  });

  async function nonces(): Promise<string[]> {
    const { chain } = world.chain(8453);
    return Promise.all(
      world.wallets.map(({ address }) =>
        chain.rpc<string>('eth_getTransactionCount', [address, 'latest']),
      ),
    );
  }

  test('default: a step is one block at the given time, with transactions of the crowd only', async () => {
    const { chain } = world.chain(8453);
    const before = await nonces();
    const from = chain.tip.number;
    let transactions = 0;
    for (let index = 0; index < 10; index++) {
      now += 3;
      await step(world, 8453, now);
      const block = await chain.rpc<{ transactions: unknown[] }>('eth_getBlockByNumber', [
        'latest',
        false,
      ]);
      transactions += block.transactions.length;
    }
    expect(await chain.head()).toMatchObject({ number: from + 10, time: now });
    expect(transactions).toBeGreaterThan(0);
    expect(await nonces()).toEqual(before);
  });

  test.each([
    { depth: 64, newBlocks: 64 },
    { depth: 10, newBlocks: 14 },
    { depth: 12, newBlocks: 5 },
  ])(
    'behavior: $depth blocks are replaced by $newBlocks, and activity continues',
    async (change) => {
      const { chain } = world.chain(8453);
      const before = { ...chain.tip };
      const old = await chain.head();
      await reorgWorld(world, 8453, change);
      const head = await chain.head();
      expect(head.number).toBe(before.number - change.depth + change.newBlocks);
      expect(head.time).toBeLessThanOrEqual(before.time);
      expect(head.hash).not.toBe(old.hash);
      await step(world, 8453, now);
      expect((await chain.head()).number).toBe(head.number + 1);
    },
  );

  test('behavior: the control methods are served, and activity stops on request', async () => {
    const server = await serveWorld(world);
    const live = startLive(world, { everySeconds: 0.01, now: () => now });
    try {
      const url = world.chain(42161).url!;
      const ask = async (method: string, params: unknown[] = []) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const answer = await fetch(url, { method: 'POST', body });
        return ((await answer.json()) as { result: unknown }).result;
      };
      const start = world.chain(42161).chain.tip.number;
      await expect.poll(() => world.chain(42161).chain.tip.number).toBeGreaterThan(start + 1);
      expect(await ask('devnet_pause')).toBe(null);
      await live.stop();
      const paused = world.chain(42161).chain.tip.number;
      expect(await ask('devnet_step', [2])).toMatchObject({ number: paused + 2 });
      expect(await ask('devnet_reorg', [3, 1])).toMatchObject({ number: paused });
    } finally {
      await live.stop();
      await server.close();
    }
  });

  test('behavior: the demo files have all addresses, and only the owner can read the keys', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    const server = await serveWorld(world);
    await mkdir(join(folder, 'store'));
    try {
      await writeDemoFiles(world, { host: '127.0.0.1', port: 8080, adminPort: 9464, folder });
      // The index of older chains.
      expect(await readdir(folder)).not.toContain('store');
      const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
      expect((await stat(join(folder, 'demo.json'))).mode & 0o777).toBe(0o600);
      expect(Object.keys(demo)).toEqual([
        'warning',
        'apiUrl',
        'adminUrl',
        'chains',
        'families',
        'router',
        'stablecoin',
        'payTo',
        'wallets',
        'blockedWallet',
        'facilitators',
      ]);
      expect(demo.warning).toMatch(/only with the wallets.*could be charged there/);
      expect(demo.apiUrl).toBe('http://127.0.0.1:8080');
      expect(demo.wallets.length).toBeGreaterThanOrEqual(10);
      const config = await readFile(join(folder, 'demo.yaml'), 'utf8');
      for (const { url } of world.chains) expect(config).toContain(url!);
      for (const { address } of world.families) expect(config).toContain(address);
      // Only the dashboard's wallet.
      expect((await stat(join(folder, 'demo.yaml'))).mode & 0o777).toBe(0o600);
      const published = world.wallets.filter(({ privateKey }) => config.includes(privateKey));
      expect(published).toEqual([world.wallets.at(-1)]);
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  });

  test('behavior: with a provider the server reads through it, and other tools do not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    const host = '127.0.0.1';
    const server = await serveWorld(world);
    const providers = await serveProviders(world, { provider: 'alchemy-free', host });
    try {
      const { rpcUrls } = providers;
      expect([...rpcUrls.keys()]).toEqual(world.chains.map(({ chainId }) => chainId));
      await writeDemoFiles(world, { host, port: 8080, adminPort: 9464, folder, rpcUrls });
      const config = await readFile(join(folder, 'demo.yaml'), 'utf8');
      const demo = await readFile(join(folder, 'demo.json'), 'utf8');
      for (const { chainId, chain, url } of world.chains) {
        const limited = rpcUrls.get(chainId)!;
        expect(config).toContain(`rpc: ["${limited}"]`);
        expect(config).not.toContain(url!);
        expect(demo).toContain(url!);
        const body = JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'eth_getLogs' },
          params: [{ fromBlock: '0x0', toBlock: `0x${chain.tip.number.toString(16)}` }],
        });
        const tooWide = await fetch(limited, { method: 'POST', body });
        expect(tooWide.status).toBe(400);
        expect(await tooWide.text()).toContain('up to a 10 block range');
      }
    } finally {
      await providers.close();
      await server.close();
      await rm(folder, { recursive: true });
    }
  });
});
