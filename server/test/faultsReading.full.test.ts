import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { createRandom, mineBlocks } from './activity.ts';
import { someOf } from './database.ts';
import {
  FINE_CHAIN,
  indexUndisturbed,
  isFailing,
  type Reference,
  withFaultyApp,
} from './faultRun.ts';
import { createFaultyRpc, type FaultyRpc } from './faultyRpc.ts';
import type { Provider } from './providerWordings.ts';
import { type StatusChain, statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld, type WorldFile } from './world.ts';

const [BASE, ARBITRUM] = [8453, 42161] as const;

let served: ServedWorld;
let undisturbed: Reference;
beforeAll(async () => {
  served = await serveWorld({ seed: 'reading' });
  undisturbed = await indexUndisturbed(served);
});
afterAll(async () => {
  await undisturbed?.drop();
  await served?.close();
});

describe('a node that rejects wide ranges', () => {
  const PROVIDERS: readonly Provider[] = [
    'alchemy',
    'infura',
    'quicknode',
    'ankr',
    'cloudflare',
    'drpc',
    'chainstack',
    'reth',
    'erigon',
  ];
  /** Each provider's proxy is in front of one chain. */
  const PAIRS = (LONG ? PROVIDERS : PROVIDERS.slice(0, 6)).flatMap((provider, i, all) =>
    i % 2 === 0 ? [[provider, all[i + 1] ?? 'alchemy'] as const] : [],
  );

  test.each(someOf('words', PAIRS, 1))(
    'behavior: with the error texts of %s and %s',
    async (first, second) => {
      const refuse = (rpc: FaultyRpc, provider: Provider) =>
        rpc.mode({ kind: 'wideRange', provider, maxBlocks: 5 });
      const other = await createFaultyRpc({ target: served.urlOf(ARBITRUM) });
      await refuse(other, second);
      const config = { chain: { ...FINE_CHAIN, logRange: 64 }, rpc: { [ARBITRUM]: [other.url] } };
      const before = (rpc: FaultyRpc) => refuse(rpc, first);
      await withFaultyApp(served, { chainId: BASE, before, config }, async (run) => {
        const seen = new Set<string>();
        await run.app.until((chains) => {
          for (const { state } of chains) seen.add(state);
          return statusLiveAt(served.heads())(chains);
        });
        // A rejected range only narrows the query; the chain is not reported as unreachable.
        expect(seen).not.toContain('unreachable');
        expect(widths(run.rpc).some((blocks) => blocks > 5)).toBe(true);
        expect(widths(other).some((blocks) => blocks > 5)).toBe(true);
        expect(await run.finish(EVENTS)).toEqual(await undisturbed.rows(EVENTS));
      }).finally(() => other.close());
    },
  );

  test('error: rejects even a single block', async () => {
    const before = (rpc: FaultyRpc) =>
      rpc.mode({ kind: 'wideRange', provider: 'ankr', maxBlocks: 0 });
    await withFaultyApp(served, { chainId: ARBITRUM, before }, async (run) => {
      await run.app.until(isFailing(ARBITRUM, /^rpc 1 rejected the logs of block \d+/));
      await run.rpc.mode({ kind: 'none' });
      await run.app.until(statusLiveAt(served.heads()));
      expect(await run.finish(EVENTS)).toEqual(await undisturbed.rows(EVENTS));
    });
  });
});

describe('a node that limits the addresses of a log filter', () => {
  test.each(someOf('named limits', [true, false], 1))(
    'behavior: to two (names the limit: %s)',
    async (names) => {
      const before = (rpc: FaultyRpc) =>
        rpc.mode({ kind: 'manyAddresses', maxAddresses: 2, names });
      await withFaultyApp(served, { chainId: BASE, before }, async (run) => {
        await run.app.until(statusLiveAt(served.heads()));
        expect(await run.finish(EVENTS)).toEqual(await undisturbed.rows(EVENTS));
      });
    },
  );
});

describe('a node that lags', () => {
  const lag = (rpc: FaultyRpc) => rpc.mode({ kind: 'lag', blocks: 20 });

  test('behavior: behind its sibling', async () => {
    const late = await createFaultyRpc({ target: served.urlOf(ARBITRUM) });
    await lag(late);
    const config = { rpc: { [ARBITRUM]: [late.url, served.urlOf(ARBITRUM)] } };
    await withFaultyApp(served, { chainId: BASE, config }, async (run) => {
      await run.app.until(statusLiveAt(served.heads()));
      expect(await run.finish(EVENTS)).toEqual(await undisturbed.rows(EVENTS));
    }).finally(() => late.close());
  });

  test('behavior: without a sibling, the indexer waits for it', async () => {
    await withFaultyApp(served, { chainId: ARBITRUM }, async (run) => {
      await run.app.until(statusLiveAt(served.heads()));
      await lag(run.rpc);
      await run.app.until(isBehind);
      expect(await run.app.readyStatus()).toBe(200);
      await run.rpc.mode({ kind: 'none' });
      await run.app.until(statusLiveAt(served.heads()));
      expect(await run.finish(EVENTS)).toEqual(await undisturbed.rows(EVENTS));
    });
  });

  function isBehind(chains: readonly StatusChain[]): boolean {
    const { state, lastError } = chains.find(({ chainId }) => chainId === ARBITRUM)!;
    return state === 'syncing' && /^rpc 1 is behind block \d+/.test(lastError?.message ?? '');
  }
});

describe('a node without an archive', () => {
  test('default', async () => {
    const KEPT = 30;
    const before = (rpc: FaultyRpc) => rpc.mode({ kind: 'pruned', blocks: KEPT });
    await withFaultyApp(served, { chainId: ARBITRUM, before }, async (run) => {
      await run.app.until(statusLiveAt(served.heads()));
      const asked = { tables: ['history', 'movement', 'position', 'share_price', 'pool', 'price'] };
      const without = ['usd'];
      expect(await run.rows({ ...asked, without })).toEqual(
        await undisturbed.rows({ ...asked, without }),
      );
      const oldest = served.heads().get(ARBITRUM)! - KEPT;
      const { chain_tick: read } = await run.rows({ chainId: ARBITRUM });
      const blocks = read!.map(
        (text) => (JSON.parse(text) as { block_number: number }).block_number,
      );
      expect(Math.min(...blocks)).toBeGreaterThan(oldest);
      const ticks = { tables: ['tick'], without: APY };
      const { tick: made } = await run.rows(ticks);
      const { tick: all } = await undisturbed.rows(ticks);
      expect(made!.length).toBeGreaterThan(0);
      expect(made!.length).toBeLessThan(all!.length);
      // The ticks equal an archive node's ticks, but start later.
      expect(all).toEqual(expect.arrayContaining([...made!]));
    });
  });
});

describe('a budget of calls', () => {
  test('behavior: once it is used up, only the backfill waits', async () => {
    const edit = ({ chains }: WorldFile) => {
      const chain = chains.find(({ id }) => id === ARBITRUM)!;
      // The budget leaves twenty calls for the backfill, and adds none while the head is polled.
      Object.assign(chain, { callsPerDay: 1_000 });
    };
    await withFaultyApp(served, { chainId: ARBITRUM, config: { edit } }, async (run) => {
      const isLive = ({ chainId, state }: StatusChain) => chainId === BASE && state === 'live';
      await run.app.until((chains) => chains.some(isLive));
      const ranges = () => widths(run.rpc).length;
      const looks = () => run.rpc.requests.filter(isLook).length;
      // Waits until no logs are read between several polls of the head.
      let before = -1;
      while (ranges() !== before) {
        before = ranges();
        await expect.poll(looks).toBeGreaterThanOrEqual(looks() + 5);
      }
      const other = (await run.app.status()).find(({ chainId }) => chainId === ARBITRUM)!;
      expect(other).toMatchObject({ state: 'syncing', lastError: null });
      expect(Number(other.indexedBlock)).toBeLessThan(served.heads().get(ARBITRUM)! - 8);
    });
  });
});

describe('several nodes behind one URL', () => {
  test('behavior: logs that one of them did not have yet are found later and added', async () => {
    const config = { chain: { ...FINE_CHAIN, logRange: 64 } };
    await withFaultyApp(served, { chainId: ARBITRUM, config }, async (run) => {
      await run.app.until(statusLiveAt(served.heads()));
      // Logs come from a node that lags, everything else from the others.
      await run.rpc.mode({ kind: 'lag', blocks: 2 }, { only: ['eth_getLogs'] });
      const random = createRandom(7);
      for (let i = 0; i < 6; i++) {
        await mineBlocks(served.world, ARBITRUM, 1, random);
        await run.app.until(statusLiveAt(served.heads()));
      }
      await undisturbed.catchUp();
      expect(await run.rows(EVENTS)).not.toEqual(await undisturbed.rows(EVENTS));
      await run.rpc.mode({ kind: 'none' });
      await mineBlocks(served.world, ARBITRUM, 1, random);
      await run.app.until(statusLiveAt(served.heads()));
      await expect.poll(run.app.logs).toMatch(/the RPC endpoint had omitted logs of a block/);
      await run.app.until(statusLiveAt(served.heads()));
      await undisturbed.catchUp();
      expect(await run.finish(EVENTS)).toEqual(await undisturbed.rows(EVENTS));
    });
  });
});

/** Trailing yields use earlier ticks, which are missing here. */
const APY = ['apy_1d', 'apy_7d', 'apy_30d'];
const EVENTS = {
  tables: [
    ...['history', 'movement', 'position', 'share_price', 'pool', 'price'],
    ...['tick', 'tick_rollup'],
  ],
};

function isLook({ method, params }: FaultyRpc['requests'][number]): boolean {
  return method === 'eth_getBlockByNumber' && params[0] === 'latest';
}

function widths(rpc: FaultyRpc): number[] {
  return rpc.requests
    .filter(({ method }) => method === 'eth_getLogs')
    .map(({ params }) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
      return Number(toBlock) - Number(fromBlock) + 1;
    });
}
