import { Check } from 'typebox/schema';
import { toFunctionSelector } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { freePort } from '../../../test/freePort.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../store/store.ts';
import { BadParameters, NotFound } from '../problem.ts';
import { exitsRoute } from './exits.ts';
import { exitTermsRoute } from './exitTerms.ts';
import type { ExitTermsAnswer } from './exitTermsSchema.ts';
import { createLiveChains, type LiveChains } from './liveChains.ts';

const PATIENT_MS = 60_000;
const [BASE, ARBITRUM] = [8453, 42161];

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'exit terms' });
});
afterAll(() => served?.close());

async function call(chainId: number, to: string, data: string): Promise<bigint> {
  const response = await fetch(served.urlOf(chainId), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'eth_call' },
      params: [{ to, data }, 'latest'],
    }),
  });
  return BigInt(((await response.json()) as { result: string }).result);
}

describeAnyEngine('exit terms', (open) => {
  let store: Store;
  let config: Config;
  let now: number;
  const opened: LiveChains[] = [];
  beforeAll(async () => {
    store = await open();
    config = served.config();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    now = Math.max(...served.world.chains.map(({ chain }) => chain.tip.time)) + 60;
  });
  afterAll(() => {
    for (const chains of opened) chains.close();
  });

  function routeOver(of: Config) {
    const chains = createLiveChains(of, { deadlineMs: PATIENT_MS });
    opened.push(chains);
    const route = exitTermsRoute({ config: of, store, chains });
    return async (slug: string, query: Record<string, string> = {}) => {
      const values = new Map(Object.entries(query).map(([name, value]) => [name, [value]]));
      const answer = await route.answer({ path: { slug }, query: values, now });
      expect(Check(route.response, answer)).toBe(true);
      return answer as ExitTermsAnswer;
    };
  }

  test("default: the amount payable at once is the vault's free assets", async () => {
    const ask = routeOver(config);
    for (const family of config.families) {
      const { chains, incompleteChains, assets } = await ask(family.slug);
      expect([assets, incompleteChains]).toEqual([null, []]);
      expect(chains.map(({ chainId }) => chainId)).toEqual(
        family.chains.map(({ chainId }) => chainId),
      );
      const exits = exitsRoute({ config, store });
      const asked = { path: { slug: family.slug }, query: new Map(), now };
      const { waiting } = (await exits.answer(asked)) as { waiting: { shares: string } };
      const waits = chains.reduce((sum, { queue }) => sum + BigInt(queue.shares), 0n);
      expect(waits.toString()).toBe(waiting.shares);
      for (const entry of chains) {
        const free = await call(entry.chainId, entry.vault, toFunctionSelector('freeAssets()'));
        expect(entry.withdrawableAssets).toBe(`${free}`);
        expect(entry.blockNumber).toBe(served.heads().get(entry.chainId));
        expect(entry).toMatchObject({ outcome: null, shares: null, paused: false });
      }
    }
  });

  test('default: an amount is paid at once up to that, and waits above', async () => {
    const ask = routeOver(config);
    const { slug } = config.families[0]!;
    const { chains } = await ask(slug);
    const rich = chains.find((one) => BigInt(one.withdrawableAssets!) > 1n)!;
    const free = BigInt(rich.withdrawableAssets!);
    const of = async (assets: bigint) => {
      const answer = await ask(slug, { assets: `${assets}` });
      expect(answer.assets).toBe(`${assets}`);
      const { outcome, instantAssets, queuedAssets, shares } = answer.chains.find(
        ({ chainId }) => chainId === rich.chainId,
      )!;
      expect(BigInt(shares!)).toBeGreaterThan(0n);
      return [outcome, BigInt(instantAssets!), BigInt(queuedAssets!)];
    };
    expect(await of(free)).toEqual(['instant', free, 0n]);
    expect(await of(free + 5n)).toEqual(['partial', free, 5n]);
    expect(rich.idleAssets).not.toBeNull();
  });

  test('behavior: a chain without a response is listed, and the others are there', async () => {
    const port = await freePort();
    const ask = routeOver(served.config({ rpc: { [ARBITRUM]: [`http://127.0.0.1:${port}`] } }));
    const family = config.families.find(({ chains }) => chains.length > 1)!;
    const { chains, incompleteChains } = await ask(family.slug);
    expect(incompleteChains).toEqual([ARBITRUM]);
    expect(chains.map(({ chainId }) => chainId)).toContain(BASE);
    expect(chains.map(({ chainId }) => chainId)).not.toContain(ARBITRUM);
  });

  test('error: parameters', async () => {
    const ask = routeOver(config);
    const { slug } = config.families[0]!;
    for (const assets of ['0', '-1', '1.5', '1e6', '', '9'.repeat(78)]) {
      await expect(ask(slug, { assets }), assets).rejects.toThrow(BadParameters);
    }
    await expect(ask('unknown')).rejects.toThrow(NotFound);
  });
});
