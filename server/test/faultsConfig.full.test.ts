import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { step } from '../../devnet/src/index.ts';
import { sourcesOf } from '../src/ingest/sources.ts';
import { loadReadStates } from '../src/store/sources/readState.ts';
import { sources } from '../src/store/sources/sources.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { FINE_CHAIN, indexUndisturbed, type Reference } from './faultRun.ts';
import { createFaultyRpc, type FaultyRpc } from './faultyRpc.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { startTestApp, statusLiveAt } from './runningApp.ts';
import { type RowsAsked, readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld, type WorldConfigOptions, type WorldFile } from './world.ts';

const [BASE, ARBITRUM] = [8453, 42161] as const;
const [MASTER, FEEDER] = ['svcusd', 'svcusd-edge'] as const;

const ABI = parseAbi(['function asset() view returns (address)']);

let served: ServedWorld;
let undisturbed: Reference;
let database: TestDatabase;
let base: FaultyRpc;
let arbitrum: FaultyRpc;
beforeAll(async () => {
  served = await serveWorld({ seed: 'configuration' });
  undisturbed = await indexUndisturbed(served);
  base = await createFaultyRpc({ target: served.urlOf(BASE) });
  arbitrum = await createFaultyRpc({ target: served.urlOf(ARBITRUM) });
});
afterAll(async () => {
  await base?.close();
  await arbitrum?.close();
  await undisturbed?.drop();
  await served?.close();
});
beforeEach(async () => {
  database = await createDatabase('postgres');
});
afterEach(() => database?.drop());

/** Indexes until every configured chain is live; returns the addresses whose logs were requested. */
async function index(options: WorldConfigOptions = {}) {
  const config = served.config({
    chain: FINE_CHAIN,
    rpc: { [BASE]: [base.url], [ARBITRUM]: [arbitrum.url] },
    ...options,
  });
  const seen = { [BASE]: base.requests.length, [ARBITRUM]: arbitrum.requests.length };
  const store = await database.open();
  const indexing = startIndexing(store, config);
  const heads = served.heads();
  const live = liveAt(new Map(config.chains.map(({ chainId }) => [chainId, heads.get(chainId)!])));
  await indexing.until(async (all) => {
    // The chains were live before, so also waits until new sources have caught up with them.
    const known = await sources.getAll(store);
    const complete = sourcesOf(config).every(({ chainId, key, fingerprint }) =>
      known.some(
        (row) =>
          row.chainId === chainId &&
          row.key === key &&
          row.fingerprint === fingerprint &&
          row.indexedBlock === heads.get(chainId),
      ),
    );
    return complete && live(all);
  });
  await indexing.stop();
  const askedOf = (rpc: FaultyRpc, from: number) =>
    new Set(
      rpc.requests
        .slice(from)
        .filter(({ method }) => method === 'eth_getLogs')
        .flatMap(({ params }) => (params[0] as { address: string[] }).address),
    );
  return { [BASE]: askedOf(base, seen[BASE]), [ARBITRUM]: askedOf(arbitrum, seen[ARBITRUM]) };
}

async function rows(asked?: RowsAsked) {
  return readRows(await database.open(), asked);
}

function vaultOf(slug: string): string {
  return served.world.families.find((family) => family.slug === slug)!.address.toLowerCase();
}

function withoutChain(chainId: number) {
  return (file: WorldFile) => {
    file.chains = file.chains.filter(({ id }) => id !== chainId);
    for (const family of file.families) {
      family.chains = family.chains.filter(({ chain }) => chain !== chainId);
    }
  };
}

describe('a changed configuration', () => {
  test('default', async () => {
    await index();
    const asked = await index();
    expect(asked[BASE].size + asked[ARBITRUM].size).toBe(0);
    expect(await rows()).toEqual(await undisturbed.rows());
  });

  test('behavior: a family is added', async () => {
    await index({ families: [MASTER] });
    expect((await rows({ family: FEEDER })).history).toEqual([]);
    const asked = await index();
    for (const chainId of [BASE, ARBITRUM] as const) {
      expect(asked[chainId]).toContain(vaultOf(FEEDER));
      expect(asked[chainId]).not.toContain(vaultOf(MASTER));
    }
    expect(await rows()).toEqual(await undisturbed.rows());
  });

  test('behavior: a chain is added', async () => {
    await index({ edit: withoutChain(ARBITRUM) });
    expect((await rows({ chainId: ARBITRUM })).history).toEqual([]);
    const asked = await index();
    expect(asked[BASE]).toEqual(new Set());
    expect(asked[ARBITRUM]).toContain(vaultOf(MASTER));
    expect(await rows()).toEqual(await undisturbed.rows());
  });

  test('behavior: the contracts of a family change', async () => {
    await index();
    const asked = await index({
      edit(file) {
        const feeder = file.families.find(({ slug }) => slug === FEEDER)!;
        const there = feeder.chains.find(({ chain }) => chain === ARBITRUM)!;
        there.routers = [...there.routers, `0x${'12'.repeat(20)}`];
      },
    });
    expect(asked[BASE]).toEqual(new Set());
    expect(asked[ARBITRUM]).toContain(vaultOf(FEEDER));
    expect(asked[ARBITRUM]).not.toContain(vaultOf(MASTER));
    expect(await rows()).toEqual(await undisturbed.rows());
  });

  test('behavior: a vault has no code on one chain', async () => {
    const app = await startTestApp(
      served.config({
        chain: FINE_CHAIN,
        edit(file) {
          const master = file.families.find(({ slug }) => slug === MASTER)!;
          const nowhere = `0x${'ab'.repeat(20)}` as const;
          file.families.push({
            ...master,
            slug: 'nowhere',
            name: 'Nowhere',
            address: nowhere,
            bindingDeclarationAddress: nowhere,
            share: { marketDataId: 'nowhere' },
            chains: master.chains.filter(({ chain }) => chain === BASE),
          });
        },
      }),
      database.config,
    );
    try {
      const chains = await app.until((all) =>
        all.every(
          ({ chainId, state, indexedBlock }) =>
            state === 'live' && indexedBlock === String(served.heads().get(chainId)),
        ),
      );
      expect(chains.find(({ chainId }) => chainId === BASE)!.lastError?.message).toBe(
        'family:nowhere on chain 8453 does not answer asset(): check its address in the configuration',
      );
      expect(chains.find(({ chainId }) => chainId === ARBITRUM)!.lastError).toBeNull();
      expect(await app.readyStatus()).toBe(200);
      expect(await rows()).toEqual(await undisturbed.rows());
    } finally {
      await app.stop();
    }
  });

  test('error: a base asset with other decimals on one chain', async () => {
    const other = await serveWorld({ seed: 'decimals' });
    const { chain } = other.world.chain(ARBITRUM);
    const vault = other.world.families.find(({ slug }) => slug === MASTER)!.address;
    const asset = await chain.call(vault, encodeFunctionData({ abi: ABI }));
    // Returns 18 for every call.
    await chain.rpc('hardhat_setCode', [`0x${asset.slice(-40)}`, '0x601260005260206000f3']);
    await chain.mine(chain.tip.time + 400);
    const store = await database.open();
    const first = startIndexing(store, other.config({ edit: withoutChain(ARBITRUM) }));
    await first.until(liveAt(new Map([[BASE, other.heads().get(BASE)!]])));
    await first.stop();
    const asked = { tables: ['tick'] };
    const before = await rows(asked);
    expect(before.tick).not.toEqual([]);
    const both = startIndexing(store, other.config());
    try {
      const texts = [MASTER, FEEDER].map(
        (slug) =>
          `${slug}: assetDecimals is 6 on chain ${BASE} and 18 on chain ${ARBITRUM}; they must agree`,
      );
      await both.until((all) => {
        const row = all.find(({ chainId }) => chainId === ARBITRUM);
        return row?.state === 'live' && texts.every((text) => row.error?.includes(text));
      });
      await step(other.world, BASE, other.world.chain(BASE).chain.tip.time + 400);
      await both.until(liveAt(new Map([[BASE, other.heads().get(BASE)!]])));
      const states = await loadReadStates(store, new Map(), 0);
      for (const slug of [MASTER, FEEDER]) {
        expect(states.stateOf(slug, ARBITRUM)).toBe('syncing');
        expect(states.stateOf(slug, BASE)).toBe('current');
      }
      expect((await rows({ chainId: ARBITRUM })).movement).toEqual([]);
      // There are more rows, but no row was derived again with the other chain's amounts.
      expect((await rows(asked)).tick).toEqual(expect.arrayContaining([...before.tick!]));
    } finally {
      await both.stop();
      await other.close();
    }
  });

  test('error: another chain with the same id', async () => {
    await index();
    const before = await rows();
    const stranger = await serveWorld({ seed: 'stranger' });
    const app = await startTestApp(
      served.config({ chain: FINE_CHAIN, rpc: { [ARBITRUM]: [stranger.urlOf(ARBITRUM)] } }),
      database.config,
    );
    try {
      const chains = await app.until((all) => all.some(({ state }) => state === 'unreachable'));
      expect(chains.find(({ chainId }) => chainId === ARBITRUM)!.lastError?.message).toBe(
        'the store was filled from another chain with id 42161 (other genesis block): use another store, or the chain it was filled from',
      );
      await app.until(statusLiveAt(new Map([[BASE, served.heads().get(BASE)!]])));
      expect(await app.readyStatus()).toBe(200);
    } finally {
      await app.stop();
      await stranger.close();
    }
    expect(await rows()).toEqual(before);
    await index();
    expect(await rows()).toEqual(await undisturbed.rows());
  });

  // This test must be last, because it mines blocks.
  test('behavior: a family and a chain are removed', async () => {
    await index();
    const before = await rows();
    const tip = served.world.chain(BASE).chain.tip.time;
    for (let i = 1; i <= 3; i++) await step(served.world, BASE, tip + 400 * i);
    await index({ families: [MASTER], edit: withoutChain(ARBITRUM) });
    const after = await rows();
    const ofMaster = { family: MASTER, tables: ['tick'] };
    expect((await rows(ofMaster)).tick!.length).toBeGreaterThan(
      before.tick!.filter((text) => text.includes(`"family":"${MASTER}"`)).length,
    );
    // A removed family or chain keeps its rows.
    const kept = (all: readonly string[]) => all.filter((text) => text.includes(`"${FEEDER}"`));
    expect(kept(after.history!)).toEqual(kept(before.history!));
    expect(after.history!.filter((text) => text.includes('"chain_id":42161'))).toEqual(
      before.history!.filter((text) => text.includes('"chain_id":42161')),
    );
  });
});
