import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { step } from '../../devnet/src/index.ts';
import type { IngestLog } from '../src/ingest/ingestLog.ts';
import { withDatabase } from './database.ts';
import { createFaultyRpc, type FaultyRpc } from './faultyRpc.ts';
import { type Indexing, liveAt, startIndexing } from './indexing.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const ARBITRUM = 42161;

describe('a node that rejects a request while blocks are added', () => {
  let served: ServedWorld;
  beforeAll(async () => {
    served = await serveWorld({ seed: 'refusal' });
  });
  afterAll(() => served?.close());

  /** Indexes with a proxy in front of one chain. `said` collects the reasons why it was unreachable. */
  async function withRefusing(
    work: (run: { rpc: FaultyRpc; indexing: Indexing; said: readonly string[] }) => Promise<void>,
  ): Promise<void> {
    const rpc = await createFaultyRpc({ target: served.urlOf(ARBITRUM) });
    await withDatabase('postgres', async (database) => {
      const said: string[] = [];
      const warn = (fields: { reason?: string }) => {
        if (fields.reason !== undefined) said.push(fields.reason);
      };
      const log: IngestLog = { info() {}, warn, error: warn };
      const config = served.config({ rpc: { [ARBITRUM]: [rpc.url] } });
      const indexing = startIndexing(await database.open(), config, log);
      try {
        await indexing.until(liveAt(served.heads()));
        await work({ rpc, indexing, said });
      } finally {
        await indexing.stop();
      }
    }).finally(() => rpc.close());
  }

  async function move(): Promise<void> {
    const { chain } = served.world.chain(ARBITRUM);
    await step(served.world, ARBITRUM, chain.tip.time + 400);
  }

  test.each([1, 2])('behavior: %d times in a row are not reported', async (times) => {
    await withRefusing(async ({ rpc, indexing, said }) => {
      // Several rounds, because the pause after a rejection is random.
      for (let round = 0; round < 4; round++) {
        const before = rpc.requests.length;
        await rpc.mode({ kind: 'refuse', times }, { only: ['eth_call'] });
        await move();
        await indexing.until(liveAt(served.heads()));
        const calls = rpc.requests.slice(before).filter(({ method }) => method === 'eth_call');
        expect(calls.length).toBeGreaterThan(times);
      }
      expect(said).toEqual([]);
    });
  });

  test('error: every time', async () => {
    await withRefusing(async ({ rpc, indexing, said }) => {
      await rpc.mode({ kind: 'refuse' }, { only: ['eth_call'] });
      await move();
      const error = 'rpc 1 refused the request: server error (-32000)';
      await indexing.until((rows) =>
        rows.some((row) => row.state === 'unreachable' && row.error === error),
      );
      await rpc.mode({ kind: 'none' });
      await indexing.until(liveAt(served.heads()));
      expect(said).toEqual([error]);
    });
  });
});
