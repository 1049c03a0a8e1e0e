import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROFILES, type Provider, serveProvider } from '../../devnet/src/index.ts';
import { type ProviderChain, serveProviderChain } from '../../devnet/test/providerChain.ts';
import { createUpstreams } from '../src/chain/upstreams.ts';
import type { ChainConfig } from '../src/config/config.ts';

const ALCHEMY = { eth_getLogs: 60, eth_call: 26, eth_getBlockByNumber: 20 };
const OTHERS = { eth_getCode: 26, eth_getStorageAt: 26, eth_chainId: 0 };
/** The bucket holds less than half a second, so a faster mix of calls empties it. */
const RATE = { perSecond: 2_000, burst: 800 };
const LOGS = 40;
const HEADERS = 20;

let chain: ProviderChain;
beforeAll(async () => {
  chain = await serveProviderChain();
});
afterAll(() => chain?.close());

test('option: a plan in compute units never rejects a call at its configured rate', async () => {
  const methods = { ...ALCHEMY, ...OTHERS };
  const counts = await readThrough({ computeUnits: { perSecond: RATE.perSecond, methods } });
  expect(limitedOf(counts)).toBe(0);
  const { asked: heads } = counts.methods.eth_getBlockByNumber!;
  expect(counts.units).toBe(LOGS * ALCHEMY.eth_getLogs + heads * ALCHEMY.eth_getBlockByNumber);
});

test('behavior: the same rate in calls is too fast for expensive calls', async () => {
  const callsPerSecond = RATE.perSecond / ALCHEMY.eth_getBlockByNumber;
  expect(limitedOf(await readThrough({ callsPerSecond }))).toBeGreaterThan(0);
});

/** Reads logs and headers concurrently, as a backfill does. */
async function readThrough(rate: Partial<ChainConfig>): Promise<ReturnType<Provider['counts']>> {
  const { forms } = PROFILES['alchemy-free'].rate!;
  const profile = { ...PROFILES['alchemy-free'], rate: { ...RATE, forms }, faults: [] };
  const provider = await serveProvider({ profile, target: chain.url });
  const upstreams = createUpstreams({ chain: toConfig(provider.url, rate), patient: true });
  try {
    const { client, head } = await upstreams.pick();
    const addresses = [chain.holder];
    const blocks = (count: number) => Array.from({ length: count }, (_, i) => head.number - i);
    await Promise.all([
      client.headers(blocks(HEADERS)),
      ...blocks(LOGS).map((block) =>
        client.logs({ fromBlock: block, toBlock: block, filter: { addresses } }),
      ),
    ]);
    return provider.counts();
  } finally {
    upstreams.close();
    await provider.close();
  }
}

function limitedOf({ methods }: ReturnType<Provider['counts']>): number {
  return Object.values(methods).reduce((sum, { limited }) => sum + limited, 0);
}

function toConfig(url: string, rate: Partial<ChainConfig>): ChainConfig {
  return {
    chainId: 8453,
    name: 'base',
    rpcUrls: [url],
    finality: { depth: 8 },
    pollSeconds: 1,
    timeoutSeconds: 10,
    logRange: 10,
    concurrency: 8,
    multicall: '0xca11bde05977b3631167028862be2a173976ca11',
    ...rate,
  };
}
