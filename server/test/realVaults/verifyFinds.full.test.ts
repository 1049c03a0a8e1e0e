import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Address } from '../../src/domain/hex.ts';
import { refoldPositions } from '../../src/ingest/fold/foldPositions.ts';
import { type Store, statement } from '../../src/store/store.ts';
import { withDatabase } from '../database.ts';
import { playFeeRouter } from './feeRouter.ts';
import { playFeesInShares } from './feesInShares.ts';
import { playMapleCyclical } from './mapleCyclical.ts';
import { playOutsideQueues } from './outsideQueues.ts';
import { playQueues } from './ratedQueues.ts';
import { chainsOf } from './scenario.ts';
import { serve } from './serve.ts';
import { type Played, settle } from './testScenario.ts';
import type { verified as Verified } from './verified.ts';

/** While `outsideQueues` is set, queues outside the vault are not read. */
const skipped = vi.hoisted(() => ({ outsideQueues: false }));
vi.mock('../../src/vaults/erc4626/outsideQueue.ts', async (load) => {
  const real = await load<typeof import('../../src/vaults/erc4626/outsideQueue.ts')>();
  return {
    ...real,
    *readOutsideQueue(vault: Address, wallet: Address) {
      return skipped.outsideQueues ? null : yield* real.readOutsideQueue(vault, wallet);
    },
  };
});

let verified: typeof Verified;
beforeAll(async () => {
  // Test files share a process: without the reset, a module that another file loaded would be used without the mock
  // above.
  vi.resetModules();
  ({ verified } = await import('./verified.ts'));
});

const ofFamily = `family_id = (select family_id from family where slug = $1)`;
/** Counts shares taken as a fee as sent. */
const feesAsSent = statement(
  'test.feesAsSent',
  `update movement set kind = 4 where kind = 2 and assets = 0 and ${ofFamily}
   returning family_id as "familyId", wallet`,
);
/** Leaves out the item of a cancel without an amount. */
const withoutCancels = statement(
  'test.withoutCancels',
  `delete from history where type = 4 and ${ofFamily} returning wallet`,
);
/** Values a request at the price after the request lowered it. */
const requestsAfter = statement(
  'test.requestsAfter',
  `update history set assets = floor(assets * 0.97) where type = 3 and ${ofFamily} returning wallet`,
);
/** Raises the shares of a described queue's requests above those of its contract. */
const largerRequests = statement(
  'test.largerRequests',
  `update redeem_request set shares = shares + 1 where shares > 0 and ${ofFamily} returning wallet`,
);

/** Takes the cost of burned shares out of the deposits of a router. */
const burnedCosts = statement(
  'test.burnedCosts',
  `update movement set assets = floor(assets * 0.99) where kind = 1 and ${ofFamily}
   returning family_id as "familyId", wallet`,
);
/** Leaves a unit in each wallet's queue that was paid or returned. */
const longerQueues = statement(
  'test.longerQueues',
  `update wallet_queue set pending_redeem = pending_redeem + 1 where pending_redeem > 0 and ${ofFamily} returning wallet`,
);

async function change(store: Store, statement: typeof feesAsSent, slug: string) {
  const rows = await store.query<{ familyId: number; wallet: Address }>(statement, [slug]);
  expect(rows.length, `${slug} has such rows`).toBeGreaterThan(0);
  return rows;
}

/** Serves a scenario and expects `verify` to find nothing before `work` changes the served data. */
async function withServed(
  play: () => Promise<Played>,
  work: (store: Store, find: () => Promise<string[]>) => Promise<void>,
): Promise<void> {
  const played = await play();
  try {
    await settle(played);
    await withDatabase('postgres', async (database) => {
      const served = await serve(played, database.config);
      await served.live().finally(() => served.stop());
      const store = await database.open();
      const find = () => verified(store, played);
      expect(await find()).toEqual([]);
      await work(store, find);
    });
  } finally {
    await Promise.all(chainsOf(played).map((chain) => chain.close()));
  }
}

describe('verify on data that an older version served', () => {
  test('error: fees in shares that are not realized, and cancels without an amount', async () => {
    await withServed(playFeesInShares, async (store, find) => {
      await change(store, withoutCancels, 'superform');
      expect(await find()).toContainEqual(
        expect.stringMatching(/superform.* has no item of type cancel/),
      );
      const fees = await change(store, feesAsSent, 'ipor');
      const wallets = [...new Set(fees.map(({ wallet }) => wallet))];
      await refoldPositions(store, fees[0]!.familyId, wallets, Number.MAX_SAFE_INTEGER);
      expect(await find()).toContainEqual(
        expect.stringMatching(/ipor.*invariant 8 .*costBasis less realized/),
      );
    });
  });

  test('error: unread queues outside the vault, and requests at another price', async () => {
    await withServed(playOutsideQueues, async (store, find) => {
      await change(store, requestsAfter, 'timelocked');
      skipped.outsideQueues = true;
      const found = await find().finally(() => {
        skipped.outsideQueues = false;
      });
      for (const wrong of [
        /timelocked.*invariant 14 .*redeem at block \d+: assets/,
        /maple.*invariant 16 .*claimable shares is served as 0/,
        /mellow.*invariant 16 .*(owed|claimable) assets is served as 0/,
      ]) {
        expect(found).toContainEqual(expect.stringMatching(wrong));
      }
    });
  });

  test('error: deposits of a router without the cost of the shares that it burned', async () => {
    await withServed(playFeeRouter, async (store, find) => {
      const moves = await change(store, burnedCosts, 'routed');
      const wallets = [...new Set(moves.map(({ wallet }) => wallet))];
      await refoldPositions(store, moves[0]!.familyId, wallets, Number.MAX_SAFE_INTEGER);
      expect(await find()).toContainEqual(
        expect.stringMatching(/routed.*invariant 8 .*costBasis less realized/),
      );
    });
  });

  test('error: cyclical withdrawals that are still queued, and without their cancels', async () => {
    await withServed(playMapleCyclical, async (store, find) => {
      await change(store, withoutCancels, 'cyclical');
      await change(store, longerQueues, 'cyclical');
      const found = await find();
      for (const wrong of [
        /cyclical.* has no item of type cancel/,
        /cyclical.*invariant 16 .*shares is served as/,
      ]) {
        expect(found).toContainEqual(expect.stringMatching(wrong));
      }
    });
  });

  test('error: requests of a described queue with wrong shares', async () => {
    await withServed(playQueues, async (store, find) => {
      const slugs = ['veda', 'concrete', 'upshift'];
      for (const slug of slugs) await change(store, largerRequests, slug);
      const found = await find();
      for (const slug of slugs) {
        expect(found).toContainEqual(
          expect.stringMatching(new RegExp(`${slug}.*invariant 16 .*shares is served as`)),
        );
      }
    });
  });
});
