import { describe, expect, test } from 'vitest';
import { createTestClock, logs, post, type Reply, rpc } from '../../test/providerChain.ts';
import { useProviders } from '../../test/providerTests.ts';
import { toQuantity } from './call.ts';
import type { Profile, ProviderFault } from './profile.ts';
import { PROFILES, type ProfileName } from './profiles.ts';

const { chain, serve } = useProviders();

/** The profile with only this kind of fault, in every request. */
function always(name: ProfileName, kind: ProviderFault['kind']): Profile {
  const faults = PROFILES[name].faults.filter((fault) => fault.kind === kind);
  return { ...PROFILES[name], faults: faults.map((fault) => ({ ...fault, share: 1 })) };
}

async function askTimes(url: string, times: number, request: object): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let call = 0; call < times; call++) replies.push(await post(url, request));
  return replies;
}

const errorOf = ({ body }: Reply) => (body as { error?: { code: number } } | null)?.error?.code;
const resultOf = ({ body }: Reply) => (body as { result?: unknown }).result;

describe('faults', () => {
  test('default: alchemy-free returns a bare 503 for about one request in a hundred', async () => {
    const { url } = await serve('alchemy-free', { seed: 'faults' });
    const replies = await askTimes(url, 400, rpc('eth_chainId'));
    const failed = replies.filter(({ status }) => status === 503);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(20);
    expect(failed.every(({ text }) => text === '')).toBe(true);
  });

  test('behavior: infura-free times out on dense ranges', async () => {
    const clock = createTestClock();
    const profile = always('infura-free', 'timeout');
    const { url } = await serve({ ...profile, rate: null }, { clock });
    const before = clock.now();
    const dense = chain().dense(10_000);
    expect((await post(url, logs(dense, dense))).body).toMatchObject({
      error: { code: -32005, message: 'query timeout exceeded' },
    });
    expect(clock.now() - before).toBe(10);
    expect(resultOf(await post(url, logs(chain().head, chain().head)))).toHaveLength(1);
  });

  test('behavior: ankr-freemium responds late', async () => {
    const clock = createTestClock();
    const { url } = await serve(always('ankr-freemium', 'slow'), { clock });
    const before = clock.now();
    expect(resultOf(await post(url, rpc('eth_chainId')))).toBe('0x2105');
    expect(clock.now() - before).toBe(5);
  });

  test('behavior: base-public is unavailable for minutes', async () => {
    const clock = createTestClock();
    const { url } = await serve(always('base-public', 'outage'), { clock });
    const out = { status: 503, body: { error: { code: -32011 } } };
    expect(await post(url, rpc('eth_chainId'))).toMatchObject(out);
    const batch = await post(url, [rpc('eth_chainId')]);
    expect(batch).toMatchObject({ status: 503, body: { id: null, error: { code: -32011 } } });
  });

  test('behavior: an outage ends', async () => {
    const clock = createTestClock();
    const profile = PROFILES['base-public'];
    const [outage] = profile.faults;
    const { url } = await serve(
      { ...profile, rate: null, faults: [{ ...outage!, share: 0.1 }] },
      { clock, seed: 'outage' },
    );
    const statuses: number[] = [];
    for (let call = 0; call < 100; call++) {
      statuses.push((await post(url, rpc('eth_chainId'))).status);
      clock.advance(20);
    }
    expect(statuses.join(' ')).toMatch(/200 (503 ){6,}200/);
  });

  test('behavior: base-public sends HTML', async () => {
    const { url } = await serve(always('base-public', 'reject'));
    const html = { status: 200, text: '<html><body>error code: 1015</body></html>', body: null };
    expect(await post(url, rpc('eth_chainId'))).toMatchObject(html);
    expect(await post(url, [rpc('eth_chainId')])).toMatchObject(html);
  });

  test('behavior: publicnode reports that it has no nodes, and its head is 0 to 1 behind', async () => {
    const broken = await serve(always('publicnode', 'reject'));
    expect(await post(broken.url, rpc('eth_chainId'))).toMatchObject({
      status: 200,
      body: { error: { code: -32701, message: 'no available nodes found for platform base-rpc' } },
    });
    const { url } = await serve({ ...PROFILES.publicnode, faults: [], rate: null });
    const heads = await askTimes(url, 30, rpc('eth_blockNumber'));
    expect(new Set(heads.map(resultOf))).toEqual(
      new Set([toQuantity(chain().head), toQuantity(chain().head - 1)]),
    );
  });

  test('behavior: reth-pruned restarts', async () => {
    let wake = () => {};
    const clock = {
      ...createTestClock(),
      sleep: () =>
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
    };
    const faults = always('reth-pruned', 'outage').faults;
    const { url, counts } = await serve({ ...PROFILES['reth-pruned'], faults }, { clock });
    await expect(post(url, rpc('eth_chainId'))).rejects.toThrow('fetch failed');
    await expect(post(url, rpc('eth_chainId'))).rejects.toThrow('fetch failed');
    expect(counts().requests).toBe(1);
    wake();
    // It is back when a request reaches it, to restart again.
    await expect
      .poll(async () => {
        await post(url, rpc('eth_chainId')).catch(() => {});
        return counts().requests;
      })
      .toBe(2);
  });

  test('behavior: the same seed gives the same faults, another seed others', async () => {
    const run = async (seed: string) => {
      const { url } = await serve({ ...PROFILES['balanced-lossy'], rate: null }, { seed });
      const replies = await askTimes(url, 60, logs(chain().head - 400, chain().head - 300));
      return replies.map(({ status, text }) => `${status} ${text}`);
    };
    const [first, second, other] = [await run('a'), await run('a'), await run('b')];
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
  });
});

describe('balanced-lossy', () => {
  const LOSSY: Profile = { ...PROFILES['balanced-lossy'], rate: null, faults: [] };
  const [A, B, C] = LOSSY.nodes;

  test('behavior: A has the logs, with times', async () => {
    const { url } = await serve({ ...LOSSY, nodes: [A] });
    const header = rpc('eth_getBlockByNumber', [toQuantity(chain().head), false]);
    const { timestamp } = resultOf(await post(url, header)) as { timestamp: string };
    expect(resultOf(await post(url, logs(chain().head, chain().head)))).toMatchObject([
      { blockNumber: toQuantity(chain().head), blockTimestamp: timestamp },
    ]);
  });

  test('behavior: B is 20 behind and clips ranges without an error', async () => {
    const { url } = await serve({ ...LOSSY, nodes: [B!] });
    const head = chain().head - 20;
    expect(resultOf(await post(url, rpc('eth_blockNumber')))).toBe(toQuantity(head));
    const latest = await post(url, rpc('eth_getBlockByNumber', ['latest', false]));
    expect(resultOf(latest)).toMatchObject({ number: toQuantity(head) });
    const clipped = resultOf(await post(url, logs(head - 4, chain().head))) as object[];
    expect(clipped.length).toBe(5);
    expect(clipped.every((log) => !('blockTimestamp' in log))).toBe(true);
    expect(resultOf(await post(url, logs(head + 1, chain().head)))).toEqual([]);
    const ahead = rpc('eth_getBlockByNumber', [toQuantity(head + 1), false]);
    expect(resultOf(await post(url, ahead))).toBe(null);
    const { hash } = resultOf(await post(chain().url, ahead)) as { hash: string };
    expect(resultOf(await post(url, rpc('eth_getBlockByHash', [hash, false])))).toBe(null);
    const state = (block: number) => rpc('eth_getBalance', [chain().holder, toQuantity(block)]);
    expect((await post(url, state(head - 129))).body).toMatchObject({
      error: { code: 27, message: `Unknown state. First available state is ${head - 128}` },
    });
    expect(errorOf(await post(url, state(head + 1)))).toBe(26);
    expect(errorOf(await post(url, state(head)))).toBeUndefined();
  });

  test('behavior: C returns an empty result for one in three log calls that it cannot serve', async () => {
    const { url } = await serve({ ...LOSSY, nodes: [C!] });
    const dense = chain().dense(10_000);
    const depth = chain().head - dense - 1;
    const lacking = { ...C!, depth: { state: depth, logs: depth } };
    const short = await serve({ ...LOSSY, nodes: [lacking] });
    const replies = await askTimes(short.url, 60, logs(dense, dense + 1));
    const empty = replies.filter(
      (reply) => (resultOf(reply) as unknown[] | undefined)?.length === 0,
    );
    const routeless = replies.filter((reply) => errorOf(reply) === 12);
    expect(empty.length + routeless.length).toBe(60);
    expect(empty.length).toBeGreaterThan(10);
    expect(empty.length).toBeLessThan(30);
    expect(resultOf(await post(url, logs(chain().head, chain().head)))).toMatchObject([
      { blockNumber: toQuantity(chain().head), blockTimestamp: '0x0' },
    ]);
  });

  test('behavior: finalized differs by endpoint and goes back', async () => {
    const { url } = await serve(LOSSY);
    const request = rpc('eth_getBlockByNumber', ['finalized', false]);
    const replies = await askTimes(url, 30, request);
    const numbers = replies.map((reply) => Number((resultOf(reply) as { number: string }).number));
    expect(new Set(numbers)).toEqual(
      new Set([chain().head - 40, chain().head - 60, chain().head - 52]),
    );
    expect(numbers.some((number, index) => number < (numbers[index - 1] ?? 0))).toBe(true);
  });

  test('behavior: codes 12 and 19 at random, 30 for wide ranges', async () => {
    const { faults } = PROFILES['balanced-lossy'];
    const often = faults.map((fault) => ({ ...fault, share: 0.3 }));
    const { url } = await serve({ ...LOSSY, nodes: [A], faults: often });
    const wide = logs(chain().head - 2_500, chain().head - 500);
    const replies = await askTimes(url, 60, wide);
    const seen = new Set(replies.map((reply) => `${reply.status} ${errorOf(reply)}`));
    expect(seen).toEqual(new Set(['200 undefined', '400 12', '500 19', '408 30']));
    const narrow = await askTimes(url, 40, logs(chain().head - 2_499, chain().head - 500));
    expect(narrow.some((reply) => errorOf(reply) === 30)).toBe(false);
  });
});
