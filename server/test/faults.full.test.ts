import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { step } from '../../devnet/src/index.ts';
import { LONG } from '../../scripts/test/extents.mjs';
import { someOf } from './database.ts';
import { indexUndisturbed, isFailing, type Reference, withFaultyApp, without } from './faultRun.ts';
import type { Fault, FaultyRpc } from './faultyRpc.ts';
import { statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld } from './world.ts';

// Prices are published on the first chain; the second is an ordinary chain.
const [BASE, ARBITRUM] = [8453, 42161] as const;

const FAULTS: readonly [string, Fault, RegExp][] = [
  ['dead', { kind: 'dead' }, /^rpc 1 does not accept or keep a connection$/],
  ['answering after 30 s', { kind: 'delay', ms: 30_000 }, /^rpc 1 did not answer in time$/],
  [
    'answering 429 with a time to wait',
    { kind: 'http429', retryAfter: 3 },
    /^rpc 1 limits the request rate for 3 s$/,
  ],
  ['answering HTML', { kind: 'garbage', shape: 'html' }, /^rpc 1 answered with something that/],
  ['answering 429', { kind: 'http429' }, /^rpc 1 limits the request rate$/],
  ['answering half', { kind: 'garbage', shape: 'truncated' }, /^rpc 1 answered with something/],
  ['answering others', { kind: 'garbage', shape: 'ids' }, /^rpc 1 answered with something that/],
  ['answering null', { kind: 'garbage', shape: 'nulls' }, /^rpc 1 answered with something that/],
  ['answering 500', { kind: 'http500' }, /^rpc 1 answered with an HTTP error 500$/],
];

const SETTLED = [
  ...['history', 'movement', 'position', 'share_price', 'pool', 'price'],
  ...['tick', 'tick_rollup'],
];

/** Each fault once, on alternating chains; in the long run, on both chains and both engines. */
const STARTS = LONG
  ? FAULTS.flatMap(([name, fault, words]) =>
      [BASE, ARBITRUM].flatMap((chainId) =>
        (['postgres', 'pglite'] as const).map(
          (engine) => [name, chainId, engine, fault, words] as const,
        ),
      ),
    )
  : someOf(
      'faults at start',
      FAULTS.slice(0, 4).map(
        ([name, fault, words], i) =>
          [name, i % 2 ? BASE : ARBITRUM, 'postgres', fault, words] as const,
      ),
      2,
    );

describe('a failing chain', () => {
  let served: ServedWorld;
  let undisturbed: Reference;
  beforeAll(async () => {
    served = await serveWorld({ seed: 'faults' });
    undisturbed = await indexUndisturbed(served);
  });
  afterAll(async () => {
    await undisturbed?.drop();
    await served?.close();
  });

  test.each(STARTS)('behavior: %s at start, chain %d on %s', async (...given) => {
    const [, chainId, engine, fault, words] = given;
    const before = (rpc: FaultyRpc) => rpc.mode(fault);
    await withFaultyApp(served, { chainId, engine, before }, async (run) => {
      await run.app.until(statusLiveAt(without(served.heads(), chainId)));
      await run.app.until(isFailing(chainId, words));
      // Every family has a deployment on both chains, so no family is complete yet.
      expect(await run.app.readyStatus()).toBe(503);
      if (engine === 'postgres') {
        const other = { chainId: chainId === BASE ? ARBITRUM : BASE, without: ['usd'] };
        expect(await run.rows(other)).toEqual(await undisturbed.rows(other));
        expect((await run.rows({ chainId })).history).toEqual([]);
        expect((await run.rows()).position).not.toEqual([]);
      }
      await run.rpc.mode({ kind: 'none' });
      await run.app.until(statusLiveAt(served.heads()));
      expect(await run.app.readyStatus()).toBe(200);
      expect(run.app.logs()).toContain('the chain is reachable again');
      expect(await run.finish()).toEqual(await undisturbed.rows());
    });
  });

  test.each(LONG ? [1, 2, 3, 4, 5, 6, 7] : [5])(
    'behavior: dead after %d ranges of the backfill',
    async (after) => {
      const before = (rpc: FaultyRpc) =>
        rpc.mode({ kind: 'dead' }, { only: ['eth_getLogs'], after });
      await withFaultyApp(served, { chainId: ARBITRUM, before }, async (run) => {
        await run.app.until(isFailing(ARBITRUM, /^rpc 1 does not accept/));
        await run.app.until(statusLiveAt(without(served.heads(), ARBITRUM)));
        const { history } = await run.rows({ chainId: ARBITRUM });
        const all = await undisturbed.rows({ chainId: ARBITRUM });
        expect(history!.length).toBeLessThan(all.history!.length);
        await run.rpc.mode({ kind: 'none' });
        await run.app.until(statusLiveAt(served.heads()));
        expect(await run.finish()).toEqual(await undisturbed.rows());
      });
    },
  );
});

describe('a failing chain while the others continue', () => {
  let served: ServedWorld;
  let undisturbed: Reference;
  beforeEach(async () => {
    served = await serveWorld({ seed: 'moving' });
    undisturbed = await indexUndisturbed(served);
  });
  afterEach(async () => {
    await undisturbed?.drop();
    await served?.close();
  });

  /** Mines blocks 400 seconds apart on every chain, so that each block adds one or two ticks. */
  async function live(blocks: number): Promise<void> {
    for (let i = 0; i < blocks; i++) {
      for (const { chainId, chain } of served.world.chains) {
        await step(served.world, chainId, chain.tip.time + 400);
      }
      // Waits for each block, so that ticks are made at the live interval.
      await undisturbed.catchUp();
    }
  }

  const MOMENTS = LONG
    ? ([
        ['at start', BASE],
        ['at start', ARBITRUM],
        ['when live', BASE],
        ['when live', ARBITRUM],
      ] as const)
    : someOf(
        'moments',
        [
          ['at start', BASE],
          ['when live', ARBITRUM],
        ] as const,
        1,
      );

  test.each(MOMENTS)('behavior: dead %s, chain %d', async (moment, chainId) => {
    const dead = (rpc: FaultyRpc) => rpc.mode({ kind: 'dead' });
    const setup = { chainId, ...(moment === 'at start' && { before: dead }) };
    await withFaultyApp(served, setup, async (run) => {
      const others = () => statusLiveAt(without(served.heads(), chainId));
      await run.app.until(moment === 'at start' ? others() : statusLiveAt(served.heads()));
      await dead(run.rpc);
      await run.app.until(isFailing(chainId, /^rpc 1 does not accept/));
      for (let i = 0; i < 5; i++) {
        await live(1);
        await run.app.until(others());
      }
      // A chain that was backfilled once may fail without making the server unready.
      expect(await run.app.readyStatus()).toBe(moment === 'at start' ? 503 : 200);
      const made = (await run.rows()).tick!;
      const right = (await undisturbed.rows()).tick!;
      expect(instantsOf(made)).toEqual(instantsOf(right));
      expect(made).not.toEqual(right);
      await run.rpc.mode({ kind: 'none' });
      await run.app.until(statusLiveAt(served.heads()));
      // Pool values depend on how fresh the data was when read.
      const asked = { tables: SETTLED };
      expect(await run.finish(asked)).toEqual(await undisturbed.rows(asked));
    });
  });
});

function instantsOf(ticks: readonly string[]): string[] {
  return ticks.map((text) => {
    const { family, at } = JSON.parse(text) as { family: string; at: number };
    return `${family} ${at}`;
  });
}
