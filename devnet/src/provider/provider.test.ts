import { describe, expect, test } from 'vitest';
import { createTestClock, logs, post, rpc } from '../../test/providerChain.ts';
import { useProviders } from '../../test/providerTests.ts';
import { toQuantity } from './call.ts';
import { ARCHIVE } from './forms.ts';
import { PROFILES } from './profiles.ts';
import { UnknownVariant } from './provider.ts';

const { chain, serve } = useProviders();

async function codeOf(url: string, request: object): Promise<number | null> {
  const { body } = await post(url, request);
  return (body as { error?: { code: number } }).error?.code ?? null;
}

const balanceAt = (block: number) => rpc('eth_getBalance', [chain().holder, toQuantity(block)]);

describe('quota', () => {
  test.each([
    ['alchemy-free', 403, -32600, 'Monthly capacity limit exceeded.', 13 * 86_400 + 43_200],
    ['infura-free', 402, 402, 'Payment Required', 43_200],
  ] as const)('default: %s', async (name, status, code, message, seconds) => {
    const profile = { ...PROFILES[name], faults: [] };
    const quota = { ...profile.quota!, units: profile.costs.head };
    const clock = createTestClock();
    const provider = await serve({ ...profile, quota }, { clock });
    expect(await codeOf(provider.url, rpc('eth_blockNumber'))).toBe(null);
    const spent = await post(provider.url, rpc('eth_blockNumber'));
    expect(spent).toMatchObject({ status, body: { error: { code, message } } });
    expect(provider.counts().methods.eth_blockNumber).toMatchObject({ answered: 1, limited: 1 });
    clock.advance(seconds - 1);
    expect(await codeOf(provider.url, rpc('eth_blockNumber'))).toBe(code);
    clock.advance(1);
    expect(await codeOf(provider.url, rpc('eth_blockNumber'))).toBe(null);
  });
});

describe('costs', () => {
  test('behavior: chainstack-free charges twice for old blocks, by the first of a range', async () => {
    const provider = await serve('chainstack-free');
    const units = async (request: object) => {
      const before = provider.counts().units;
      await post(provider.url, request);
      return provider.counts().units - before;
    };
    expect(await units(logs(chain().head - 128, chain().head - 100))).toBe(1);
    expect(await units(logs(chain().head - 129, chain().head - 100))).toBe(2);
  });

  test('behavior: infura-free charges 5 for a rejected call', async () => {
    const provider = await serve('infura-free');
    expect(await codeOf(provider.url, logs(0, 10_001))).toBe(-32602);
    expect(provider.counts()).toMatchObject({
      units: 5,
      methods: { eth_getLogs: { asked: 1, answered: 0, refused: 1 } },
    });
  });
});

describe('limits', () => {
  test('behavior: each item of a batch counts, and items within the limit get results', async () => {
    const { rate, ...profile } = PROFILES['chainstack-free'];
    const provider = await serve({ ...profile, rate: { ...rate!, burst: 2 } });
    const items = [1, 2, 3].map((id) => rpc('eth_chainId', [], id));
    const { status, body } = await post(provider.url, items);
    expect(status).toBe(200);
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: '0x2105' },
      { jsonrpc: '2.0', id: 2, result: '0x2105' },
      { jsonrpc: '2.0', id: 3, error: { code: -32005, message: 'rate limit exceeded' } },
    ]);
    expect(provider.counts()).toMatchObject({ requests: 1, units: 2 });
  });

  test('behavior: ankr-freemium limits a whole batch without a body', async () => {
    const { rate, ...profile } = PROFILES['ankr-freemium'];
    const one = { ...profile, faults: [], rate: { ...rate!, burst: 1 } };
    const { url } = await serve(one);
    const items = [1, 2].map((id) => rpc('eth_chainId', [], id));
    expect((await post(url, items)).body).toMatchObject([
      { result: '0x2105' },
      { error: { code: 429, message: 'Too Many Requests' } },
    ]);
    expect(await post(url, items)).toMatchObject({ status: 429, text: '' });
  });

  test('behavior: base-public alternates between its forms of rejection, and limits for 30 seconds', async () => {
    const clock = createTestClock();
    const { url } = await serve({ ...PROFILES['base-public'], faults: [] }, { clock });
    for (let call = 0; call < 5; call++) await post(url, rpc('eth_chainId'));
    const seen: unknown[] = [];
    for (let call = 0; call < 4; call++) {
      const { status, body } = await post(url, rpc('eth_chainId'));
      seen.push([status, (body as { error: { code: number } }).error.code]);
      clock.advance(7);
    }
    expect(seen).toEqual([
      [429, -32016],
      [200, -32007],
      [429, -32011],
      [429, -32016],
    ]);
    clock.advance(2);
    expect(await codeOf(url, rpc('eth_chainId'))).toBe(null);
  });

  test('behavior: Retry-After is whole seconds of the fast clock, at least one', async () => {
    const { rate, ...profile } = PROFILES['chainstack-free'];
    const slow = { ...profile, rate: { ...rate!, perSecond: 0.01, burst: 1 } };
    for (const [speed, retryAfter] of [
      [1, '100'],
      [8, '13'],
      [1_000, '1'],
    ] as const) {
      const { url } = await serve(slow, { speed });
      await post(url, rpc('eth_chainId'));
      expect((await post(url, rpc('eth_chainId'))).retryAfter).toBe(retryAfter);
    }
  });

  test('behavior: alchemy-free sends Retry-After with some limits only', async () => {
    const { url, control } = await serve({ ...PROFILES['alchemy-free'], faults: [] });
    control.limitAll(true);
    const seen = new Set<string | null>();
    for (let call = 0; call < 20; call++)
      seen.add((await post(url, rpc('net_version'))).retryAfter);
    expect(seen).toEqual(new Set([null, '1']));
  });

  test('behavior: results of one block, and a useless suggestion every tenth time', async () => {
    const { results, ...profile } = PROFILES['reth-pruned'];
    const few = { ...profile, faults: [], results: { ...results!, max: 3 } };
    const { url } = await serve(few);
    const to = chain().head;
    const from = to - 9;
    const messages: string[] = [];
    for (let call = 0; call < 20; call++) {
      const { body } = await post(url, logs(from, to));
      messages.push((body as { error: { message: string } }).error.message);
    }
    const hint = (last: number) =>
      `query exceeds max results 3, retry with the range ${from}-${last}`;
    expect(messages).toEqual(
      messages.map((_, index) => (index % 10 === 9 ? hint(to) : hint(from + 2))),
    );
    expect((await post(url, logs(from, from + 2))).body).toHaveProperty('result');
  });

  test('behavior: ankr-freemium counts results', async () => {
    const { results, ...profile } = PROFILES['ankr-freemium'];
    const { url } = await serve({ ...profile, faults: [], results: { ...results!, max: 3 } });
    expect((await post(url, logs(chain().head - 3, chain().head))).body).toMatchObject({
      error: { code: -32005, message: 'Too many logs requested. Max logs per response is 3.' },
    });
    expect((await post(url, logs(chain().head - 2, chain().head))).body).toHaveProperty('result');
  });

  test('behavior: logs and state by block hash have the same depth', async () => {
    const { url } = await serve({
      ...PROFILES['chainstack-free'],
      tooDeep: PROFILES.publicnode.tooDeep,
    });
    const hashAt = async (number: number) => {
      const header = await post(url, rpc('eth_getBlockByNumber', [toQuantity(number), false]));
      return (header.body as { result: { hash: string } }).result.hash;
    };
    const [old, recent] = [await hashAt(chain().head - 129), await hashAt(chain().head - 128)];
    const state = (blockHash: string) => rpc('eth_getBalance', [chain().holder, { blockHash }]);
    expect(await codeOf(url, state(old))).toBe(-32602);
    expect(await codeOf(url, state(recent))).toBe(null);
    expect(await codeOf(url, rpc('eth_getLogs', [{ blockHash: old }]))).toBe(null);
  });
});

describe('control', () => {
  test('default: an archive is lost and comes back', async () => {
    const { url, control } = await serve({ ...PROFILES['infura-free'], rate: null });
    const old = chain().head - 200;
    expect(await codeOf(url, balanceAt(old))).toBe(null);
    control.setDepth({ state: 128, logs: 150 });
    expect(await codeOf(url, balanceAt(old))).toBe(-32000);
    expect(await codeOf(url, logs(chain().head - 150, chain().head - 149))).toBe(null);
    expect(await codeOf(url, logs(chain().head - 151, chain().head - 149))).toBe(4444);
    control.setDepth(null);
    expect(await codeOf(url, balanceAt(old))).toBe(null);
  });

  test('behavior: a pruned endpoint becomes an archive', async () => {
    const { url, control } = await serve({ ...PROFILES.publicnode, faults: [] });
    expect(await codeOf(url, balanceAt(5))).toBe(-32602);
    control.setDepth(ARCHIVE);
    expect(await codeOf(url, balanceAt(5))).toBe(null);
    expect(await codeOf(url, logs(5, 6))).toBe(null);
  });

  test('behavior: down refuses connections, on the same URL', async () => {
    const { url, control, counts } = await serve('chainstack-free');
    await control.down(true);
    await expect(post(url, rpc('eth_chainId'))).rejects.toThrow('fetch failed');
    await control.down(false);
    expect(await codeOf(url, rpc('eth_chainId'))).toBe(null);
    expect(counts().requests).toBe(1);
  });

  test('behavior: limitAll', async () => {
    const { url, control, counts } = await serve('chainstack-free');
    control.limitAll(true);
    expect(await post(url, rpc('eth_chainId'))).toMatchObject({ status: 429, retryAfter: '1' });
    control.limitAll(false);
    expect(await codeOf(url, rpc('eth_chainId'))).toBe(null);
    expect(counts()).toMatchObject({
      units: 1,
      methods: { eth_chainId: { asked: 2, answered: 1, limited: 1, refused: 0 } },
    });
  });

  test('behavior: any profile can lag', async () => {
    const { url, control } = await serve('chainstack-free');
    control.setLag(7);
    const head = chain().head - 7;
    const { body } = await post(url, rpc('eth_blockNumber'));
    expect(body).toMatchObject({ result: toQuantity(head) });
    expect(await codeOf(url, logs(head, head))).toBe(null);
    expect(await codeOf(url, logs(head, head + 1))).toBe(-32602);
    expect(await codeOf(url, balanceAt(head + 1))).toBe(-32000);
  });

  test('error: the target cannot be reached', async () => {
    const { url, counts } = await serve('chainstack-free', { target: 'http://127.0.0.1:1' });
    expect(await post(url, rpc('eth_chainId'))).toMatchObject({ status: 502, text: '' });
    expect(counts().methods.eth_chainId).toMatchObject({ asked: 1, refused: 1 });
  });

  test('error: a body that is not JSON-RPC', async () => {
    const { url } = await serve('chainstack-free');
    expect(await post(url, 'x')).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
    expect(await post(url, [])).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
  });
});

describe('variant', () => {
  test('default: random-429 limits 40% of the calls at any pace', async () => {
    const clock = createTestClock();
    const { url, counts } = await serve('chainstack-free', { clock, variant: 'random-429' });
    for (let call = 0; call < 200; call++) {
      await post(url, rpc('eth_chainId'));
      clock.advance(1);
    }
    const { limited } = counts().methods.eth_chainId!;
    expect(limited).toBeGreaterThan(60);
    expect(limited).toBeLessThan(100);
  });

  test('default: no-logs limits every eth_getLogs', async () => {
    const clock = createTestClock();
    const profile = { ...PROFILES['base-public'], faults: [] };
    const { url, counts } = await serve(profile, { clock, variant: 'no-logs' });
    for (let call = 0; call < 20; call++) await post(url, logs(chain().head, chain().head));
    expect(counts().methods.eth_getLogs).toMatchObject({ asked: 20, limited: 20 });
    expect(await codeOf(url, rpc('eth_blockNumber'))).toBe(null);
  });

  test('error: a variant of another profile', async () => {
    await expect(serve('publicnode', { variant: 'no-logs' })).rejects.toThrow(UnknownVariant);
  });
});
