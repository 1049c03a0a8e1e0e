import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFaultyRpc, type Fault, type FaultyRpc } from '../../../test/faultyRpc.ts';
import { createTinyChain, type TinyChain } from '../../../test/tinyChain.ts';
import type { ChainConfig } from '../../config/config.ts';
import { createLiveChains, type LiveChains, type ReadAt } from './liveChains.ts';

const CHAIN = 8453;
const START = 1_700_000_000;
/** Long enough for a busy machine if a response is expected; short if none is. */
const PATIENT_MS = 20_000;
const SHORT_MS = 600;
/** Reads the time of the newest block, which needs a second call. */
const timeOf: ReadAt<number | undefined> = async (client, block) =>
  (await client.header(block))?.time;

let chain: TinyChain;
let proxy: FaultyRpc;
let live: LiveChains | undefined;
beforeAll(async () => {
  chain = await createTinyChain({ chainId: CHAIN, startTime: START });
  await chain.mine({ time: START + 12 });
  proxy = await createFaultyRpc({ target: chain.url });
});
afterEach(async () => {
  live?.close();
  await proxy.mode({ kind: 'none' });
});
afterAll(async () => {
  await proxy?.close();
  await chain?.close();
});

function open(rpcUrls: readonly string[], deadlineMs = PATIENT_MS): LiveChains {
  const config: ChainConfig = {
    chainId: CHAIN,
    name: 'base',
    rpcUrls,
    finality: { depth: 1 },
    pollSeconds: 1,
    timeoutSeconds: 60,
    logRange: 1,
    concurrency: 1,
    multicall: '0xca11bde05977b3631167028862be2a173976ca11',
  };
  live = createLiveChains({ chains: [config] }, { deadlineMs });
  return live;
}

describe('createLiveChains', () => {
  test('default: at the newest block', async () => {
    const chains = open([proxy.url]);
    expect(await chains.read(CHAIN, timeOf)).toBe(START + 12);
    await chain.mine({ time: START + 24 });
    expect(await chains.read(CHAIN, timeOf)).toBe(START + 24);
  });

  test('behavior: a chain without a URL, or not configured', async () => {
    expect(await open([]).read(CHAIN, timeOf)).toBeUndefined();
    expect(await open([proxy.url]).read(1, timeOf)).toBeUndefined();
  });

  test.each<Fault>([
    { kind: 'dead' },
    { kind: 'hang' },
    { kind: 'http500' },
    { kind: 'http429' },
    { kind: 'garbage', shape: 'html' },
    { kind: 'garbage', shape: 'nulls' },
  ])('behavior: an unusable RPC endpoint: $kind', async (fault) => {
    await proxy.mode(fault);
    expect(await open([proxy.url], SHORT_MS).read(CHAIN, timeOf)).toBeUndefined();
  });

  test('behavior: an RPC endpoint that fails after it returned its head', async () => {
    const chains = open([proxy.url], SHORT_MS);
    await proxy.mode({ kind: 'hang' }, { only: ['eth_getBlockByNumber'], after: 2 });
    expect(await chains.read(CHAIN, timeOf)).toBeUndefined();
  });

  test.each<Fault>([{ kind: 'dead' }, { kind: 'hang' }])(
    'behavior: another URL replaces one that is $kind',
    async (fault) => {
      const chains = open([proxy.url, chain.url]);
      expect(await chains.read(CHAIN, timeOf)).toBeDefined();
      await proxy.mode(fault);
      expect(await chains.read(CHAIN, timeOf)).toBeDefined();
    },
  );

  test('behavior: a chain that failed is not read again immediately', async () => {
    const chains = open([proxy.url]);
    await proxy.mode({ kind: 'http429', retryAfter: 60 });
    await chains.read(CHAIN, timeOf);
    const { length } = proxy.requests;
    expect(await chains.read(CHAIN, timeOf)).toBeUndefined();
    expect(proxy.requests).toHaveLength(length);
  });

  test('behavior: a probe retries a failed chain, and requests do not wait for it', async () => {
    // Long enough that a busy machine does not miss the pause before the retry.
    const chains = open([proxy.url], 3_000);
    await proxy.mode({ kind: 'hang' });
    expect(await chains.read(CHAIN, timeOf)).toBeUndefined();
    const { length } = proxy.requests;
    await expect.poll(() => proxy.requests.length, { timeout: 20_000 }).toBeGreaterThan(length);
    // The probe hangs now, longer than this read.
    let sent = false;
    await chains.read(CHAIN, async () => {
      sent = true;
    });
    expect(sent).toBe(false);
    await proxy.mode({ kind: 'none' });
    await expect
      .poll(() => chains.read(CHAIN, timeOf), { timeout: 20_000, interval: 50 })
      .toBeDefined();
  });

  test('behavior: concurrent reads share one request for the head', async () => {
    const chains = open([proxy.url]);
    await chains.read(CHAIN, timeOf);
    const before = proxy.requests.length;
    await Promise.all([1, 2, 3, 4].map(() => chains.read(CHAIN, async () => undefined)));
    expect(proxy.requests.length - before).toBe(1);
  });

  test('behavior: under load, reads wait in turn, and those that would be too late are not made', async () => {
    const chains = open([proxy.url], SHORT_MS);
    const ends: (() => void)[] = [];
    const slow: ReadAt<void> = () => new Promise((resolve) => ends.push(resolve));
    const reads = Array.from({ length: 20 }, () => chains.read(CHAIN, slow));
    expect(await Promise.all(reads)).toEqual(reads.map(() => undefined));
    for (const end of ends) end();
    // The read comes after the four that waited.
    await chains.read(CHAIN, timeOf);
    expect(ends).toHaveLength(16);
  });

  test('behavior: a finished read lets the next one start', async () => {
    const chains = open([proxy.url]);
    const reads = Array.from({ length: 50 }, () => chains.read(CHAIN, timeOf));
    const times = await Promise.all(reads);
    expect(times).toEqual(times.map(() => START + 24));
  });

  test('error: an error in the reader does not count as an unreachable chain', async () => {
    const broken = open([proxy.url]).read(CHAIN, async () => {
      throw new TypeError('broken');
    });
    await expect(broken).rejects.toThrow(TypeError);
  });
});
