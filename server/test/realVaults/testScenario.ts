import { afterAll, beforeAll, expect, test } from 'vitest';
import { FULL, LONG } from '../../../scripts/test/extents.mjs';
import { createDatabase, type Engine, type TestDatabase } from '../database.ts';
import { compare } from './compare.ts';
import { compareWaits } from './compareWaits.ts';
import { killWhileIndexing } from './killed.ts';
import { chainsOf, FINALITY, type Scenario } from './scenario.ts';
import { type Served, serve } from './serve.ts';
import { verified } from './verified.ts';

/** A scenario that can continue. */
export interface Played extends Scenario {
  /** Plays some more acts on its chains. */
  goOn(): Promise<void>;
  /** Returns differences that only this scenario can find. */
  more?(served: Served): Promise<string[]>;
}

/** `verify` needs a second connection, so a short run uses PostgreSQL; its kill runs on PGlite. */
const ENGINES: readonly Engine[] = FULL ? ['pglite', 'postgres'] : ['postgres'];
const KILLED: readonly Engine[] = FULL ? ENGINES : ['pglite'];
/** Longer lists add no information. */
const MAX_REPORTED = 400;

/**
 * Declares the tests of one scenario, on all its engines at once: after the backfill, while it runs, after a restart on
 * the same store, after a reorg, and after a kill.
 */
export function testScenario(
  build: () => Promise<Played>,
  options: {
    /** Another configuration than the scenario's own, such as one that `init` wrote from the chains. */
    readonly config?: (played: Played) => Promise<string>;
    /** Runs the kill in the short run too; set once for each kind of vault. */
    readonly killed?: boolean;
  } = {},
): void {
  let played: Played;
  const databases: TestDatabase[] = [];
  const running: Served[] = [];

  beforeAll(async () => {
    played = await build();
    await settle(played);
    for (const engine of ENGINES) databases.push(await createDatabase(engine));
  });

  afterAll(async () => {
    await stop();
    await Promise.all(databases.map((database) => database.drop()));
    await Promise.all(played ? chainsOf(played).map((chain) => chain.close()) : []);
  });

  test('default: ten days', async () => {
    await start();
    await expectTruth();
  });

  test('default: wait times and the queue ahead of each redemption', async () => {
    const store = await databases[ENGINES.indexOf('postgres')]!.open();
    expect(await compareWaits(store, played)).toEqual([]);
  });

  test('behavior: new blocks while the server runs', async () => {
    await played.goOn();
    await settle(played);
    await expectTruth();
  });

  test('behavior: after a restart on the same store', async () => {
    await stop();
    await played.goOn();
    await settle(played);
    await start();
    await expectTruth();
  });

  test('behavior: after a reorg', async () => {
    for (const chain of chainsOf(played)) {
      const head = chain.tip.number;
      await chain.rewind(FINALITY - 3);
      played.book.forget(chain.chainId, chain.tip.number - 1);
      // Above the old head, only a server that has read the new branch is up to date.
      while (chain.tip.number <= head) await played.goOn();
    }
    await settle(played);
    await expectTruth();
  });

  test.runIf(LONG || options.killed)('behavior: after a kill during the backfill', async () => {
    await stop();
    const killed = await Promise.all(KILLED.map(createDatabase));
    try {
      const text = await options.config?.(played);
      for (const { config } of killed) {
        await killWhileIndexing(played, config, 150);
        running.push(await serve(played, config, text));
      }
      await expectTruth(killed, KILLED);
    } finally {
      await stop();
      await Promise.all(killed.map((database) => database.drop()));
    }
  });

  async function start(): Promise<void> {
    const text = await options.config?.(played);
    for (const { config } of databases) running.push(await serve(played, config, text));
  }

  async function stop(): Promise<void> {
    await Promise.all(running.splice(0).map((served) => served.stop()));
  }

  async function expectTruth(stores: readonly TestDatabase[] = databases, engines = ENGINES) {
    // Waits for all servers together, so that the timeout of a stuck one passes only once.
    const arrived = await Promise.allSettled(running.map((served) => served.live()));
    const found: string[] = [];
    for (const [i, served] of running.entries()) {
      const one = arrived[i]!;
      const said =
        one.status === 'rejected'
          ? [(one.reason as Error).message]
          : [...(await compare(served, played)), ...((await played.more?.(served)) ?? [])];
      found.push(...said.map((text) => `${engines[i]}: ${text}`));
      // Only PostgreSQL accepts a second connection while the server runs.
      if (one.status === 'fulfilled' && engines[i] === 'postgres') {
        const store = await stores[i]!.open();
        found.push(...(await verified(store, played)).map((text) => `verify: ${text}`));
      }
    }
    expect(found.slice(0, MAX_REPORTED), `${found.length} differences`).toEqual([]);
  }
}

/** Mines two empty blocks on every chain, so that the timestamp of the last act is past everywhere. */
export async function settle(scenario: Scenario): Promise<void> {
  const chains = chainsOf(scenario);
  const latest = Math.max(...chains.map(({ tip }) => tip.time));
  for (const chain of chains) {
    chain.advance(latest - chain.tip.time);
    await chain.mine();
    chain.advance(600);
    await chain.mine();
  }
}
