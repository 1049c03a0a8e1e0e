import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { PROFILES, type Profile, serveProvider } from '../../../devnet/src/index.ts';
import { withDatabase } from '../../test/database.ts';
import { liveAt, startIndexing } from '../../test/indexing.ts';
import { ARCHIVE } from '../../test/providers.ts';
import type { Contract } from '../../test/realVaults/chain.ts';
import { createShapes, OWNER, type Shapes } from '../../test/shapes/shapes.ts';
import { parseConfig } from '../config/load.ts';
import { examineCalls } from './examineCalls.ts';

const BASE = 8453;
const UNIT = 1_000_000n;
/** Five calls for each pool: more than one request has. */
const POOLS = 110;
const TICKS = 8;

let shapes: Shapes;
let vault: Contract;
let contracts: Record<'oracle' | 'registry', string>;
beforeAll(async () => {
  shapes = await createShapes({ chainId: BASE });
  const { chain, deploy } = shapes;
  const usd = await deploy('ShapeToken', 'USD', 6);
  const venue = await deploy('CooldownVault', usd.address);
  const authority = await deploy('Authority', OWNER);
  const oracle = await deploy('SharePriceOracle', authority.address);
  const registry = await deploy('PoolRegistry', authority.address);
  vault = await shapes.queue({ asset: usd, symbol: 'QUEUE', oracle, authority });
  contracts = { oracle: oracle.address, registry: registry.address };
  await chain.send(OWNER, oracle, 'update', [[vault.address], [UNIT]]);
  // The vault has a balance in the pools, which an indexer reads only once.
  await chain.send(OWNER, usd, 'mint', [OWNER, 1_000n * UNIT]);
  await chain.send(OWNER, usd, 'approve', [venue.address, 1_000n * UNIT]);
  await chain.send(OWNER, venue, 'deposit', [1_000n * UNIT, vault.address]);
  const declare = (id: number, status: number) => {
    const pool = { vault: vault.address, offchainId: `pool-${id}`, venue: venue.address };
    const facts = { venueKind: 1, idleOnly: false, status, riskScore: 1 };
    return { from: OWNER, to: registry, fn: 'declare', args: [{ ...pool, ...facts }] };
  };
  // A block has room for four transactions.
  for (let id = 0; id < POOLS; id += 4) {
    const some = [id, id + 1, id + 2, id + 3].filter((one) => one < POOLS);
    await chain.together(some.map((one) => declare(one, 1)));
  }
});
afterAll(() => shapes?.close());

function configOf(url: string) {
  const text = stringify({
    ticks: { liveSeconds: 300, backfillSeconds: 3600 },
    chains: [{ id: BASE, name: 'base', rpc: [url], finality: { depth: 4 }, pollSeconds: 0.05 }],
    families: [
      {
        ...{ slug: 'queue', name: 'Queue', address: vault.address, adapter: 'receiver-queue' },
        base: { marketDataId: 'usd' },
        share: { marketDataId: 'queue' },
        chains: [{ chain: BASE, role: 'settlement', startBlock: 1, ...contracts }],
      },
    ],
  });
  return parseConfig({ file: 'assay.yaml', text, env: {} });
}

async function estimate(url: string): Promise<{ text: string; statePerTick: number }> {
  const [line] = await examineCalls(configOf(url), undefined, 0);
  const { text } = line!;
  return { text, statePerTick: Number(/state (\d+)/.exec(text)?.[1]) / 288 };
}

describe('examineCalls', () => {
  test('behavior: pools that a registry declared are read at each tick', () =>
    withDatabase('pglite', async (database) => {
      const provider = await serveProvider({ profile: ARCHIVE, target: shapes.chain.url });
      try {
        const indexing = startIndexing(await database.open(), configOf(provider.url));
        const isLive = () => indexing.until(liveAt(new Map([[BASE, shapes.chain.tip.number]])));
        const countCalls = () => provider.counts().methods.eth_call?.asked ?? 0;
        await isLive();
        await mineTick(isLive);
        const before = countCalls();
        for (let i = 0; i < TICKS; i++) await mineTick(isLive);
        const measured = (countCalls() - before) / TICKS;
        await indexing.stop();
        const { text, statePerTick } = await estimate(provider.url);
        expect(measured).toBe(2);
        expect(statePerTick).toBe(measured);
        expect(text).not.toContain('without pools');
      } finally {
        await provider.close();
      }
    }));

  test('behavior: a URL whose ranges are too narrow for the old declarations', async () => {
    const plan: Profile = PROFILES['reth-pruned'];
    const profile: Profile = { ...ARCHIVE, range: { ...plan.range, max: 1 } };
    const provider = await serveProvider({ profile, target: shapes.chain.url });
    try {
      for (let i = 0; i < 50; i++) await shapes.chain.mine();
      expect((await estimate(provider.url)).text).toMatch(/; without pools declared before/);
    } finally {
      await provider.close();
    }
  });
});

async function mineTick(isLive: () => Promise<void>): Promise<void> {
  shapes.chain.advance(300);
  await shapes.chain.mine();
  await isLive();
}
