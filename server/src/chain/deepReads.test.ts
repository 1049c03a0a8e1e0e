import { describe, expect, test, vi } from 'vitest';
import type { ChainClient, RawLog } from './chainClient.ts';
import { createDeepReads, createKeeps, type DeepUpstream, NodesDiffer } from './deepReads.ts';
import { StateUnavailable } from './rpcError.ts';

const ADDRESS = `0x${'11'.repeat(20)}` as const;
const RANGE = { fromBlock: 10, toBlock: 20, filter: { addresses: [ADDRESS] } };
const HEAD = 1_000;

/** A URL that reads state with `state` and logs with `logs`. */
function urlOf(
  upstream: number,
  answers: { state?: () => `0x${string}`; logs?: () => RawLog[] } = {},
): DeepUpstream & { readonly asked: string[] } {
  const asked: string[] = [];
  const client = {
    upstream,
    code: async () => {
      asked.push('state');
      return answers.state?.() ?? '0x01';
    },
    logs: async () => {
      asked.push('logs');
      return answers.logs?.() ?? [];
    },
  } as unknown as ChainClient;
  return { client, head: HEAD, keeps: createKeeps(), failed: vi.fn(), asked };
}

const pruned =
  (of: 'state' | 'logs' = 'state') =>
  () => {
    throw new StateUnavailable({ upstream: 1, reason: 'pruned', of });
  };

function connect(current: DeepUpstream, ...others: DeepUpstream[]) {
  let now = 0;
  const client = createDeepReads({ current, others: () => others, now: () => now });
  return { client, pass: (ms: number) => (now += ms) };
}

describe('state', () => {
  test('default: reads only from the current URL', async () => {
    const [first, second] = [urlOf(1), urlOf(2)];
    const { client } = connect(first, second);
    expect(await client.code(ADDRESS, 10)).toBe('0x01');
    expect([first.asked, second.asked]).toEqual([['state'], []]);
  });

  test('behavior: data missing at one URL is read from another, and the first is not tried again', async () => {
    const first = urlOf(1, { state: pruned() });
    const second = urlOf(2);
    const { client } = connect(first, second);
    for (const block of [30, 20, 10]) expect(await client.code(ADDRESS, block)).toBe('0x01');
    expect(first.asked).toHaveLength(3);
    expect(second.asked).toHaveLength(3);
  });

  test('behavior: a URL that lacked state is tried again after a while', async () => {
    let isArchive = false;
    const first = urlOf(1, { state: () => (isArchive ? '0x02' : pruned()()) });
    const { client, pass } = connect(first);
    await expect(client.code(ADDRESS, 10)).rejects.toBeInstanceOf(StateUnavailable);
    isArchive = true;
    await expect(client.code(ADDRESS, 10)).rejects.toBeInstanceOf(StateUnavailable);
    pass(10_000);
    // The URL now has the state that it rejected before, so from here on its reads are checked.
    await expect(client.code(ADDRESS, 10)).rejects.toBeInstanceOf(NodesDiffer);
    expect(await client.code(ADDRESS, 10)).toBe('0x02');
  });

  test('behavior: nodes that differ behind one URL are detected once, then reads are repeated until one has the data', async () => {
    let calls = 0;
    const first = urlOf(1, { state: () => (++calls % 3 === 0 ? '0x03' : pruned()()) });
    const { client } = connect(first);
    await expect(client.code(ADDRESS, 10)).rejects.toBeInstanceOf(NodesDiffer);
    for (let i = 0; i < 5; i++) expect(await client.code(ADDRESS, 10)).toBe('0x03');
  });

  test('error: no URL has it', async () => {
    const { client } = connect(urlOf(1, { state: pruned() }), urlOf(2, { state: pruned() }));
    await expect(client.code(ADDRESS, 10)).rejects.toMatchObject({ reason: 'pruned', of: 'state' });
  });

  test('behavior: a URL with a lower head is not tried', async () => {
    const behind = { ...urlOf(2), head: 5 };
    const { client } = connect(urlOf(1, { state: pruned() }), behind);
    await expect(client.code(ADDRESS, 10)).rejects.toBeInstanceOf(StateUnavailable);
    expect(behind.asked).toEqual([]);
  });
});

describe('data that a URL lacked before a restart', () => {
  /** A URL known to have no state 100 blocks below its head. */
  const shallow = (answers: Parameters<typeof urlOf>[1], upstream = 1) => {
    const limits = { stateDepth: 100, logDepth: null };
    return { ...urlOf(upstream, answers), keeps: createKeeps(limits), limits };
  };

  test('default: the URL is not tried while another one has the data', async () => {
    const [first, second] = [shallow({ state: pruned() }), urlOf(2)];
    const { client } = connect(first, second);
    for (const block of [10, 900]) expect(await client.code(ADDRESS, block)).toBe('0x01');
    expect([first.asked, second.asked]).toEqual([[], ['state', 'state']]);
    await client.logs(RANGE);
    expect(first.asked).toEqual(['logs']);
    // The URL may have the state one block higher.
    expect(await client.code(ADDRESS, 901)).toBe('0x01');
    expect(first.asked).toHaveLength(4);
  });

  test('behavior: it is tried before the data counts as missing, and a result is not a difference between nodes', async () => {
    const first = shallow({ state: () => '0x04' });
    const { client } = connect(first, urlOf(2, { state: pruned() }));
    expect(await client.code(ADDRESS, 10)).toBe('0x04');
    expect(first.keeps.uneven).toBe(false);
    expect(first.limits.stateDepth).toBeNull();
  });

  test('behavior: missing data is recorded for the next start', async () => {
    const first = shallow({ state: pruned() });
    const { client } = connect(first);
    await expect(client.code(ADDRESS, 950)).rejects.toBeInstanceOf(StateUnavailable);
    expect(first.limits).toEqual({ stateDepth: 50, logDepth: null });
  });
});

describe('logs', () => {
  test('behavior: logs that one URL lacks are read from another', async () => {
    const log = { blockNumber: 11 } as RawLog;
    const first = urlOf(1, { logs: pruned('logs') });
    const { client } = connect(first, urlOf(2, { logs: () => [log] }));
    expect(await client.logs(RANGE)).toEqual([log]);
  });

  test('error: no URL has them', async () => {
    const { client } = connect(urlOf(1, { logs: pruned('logs') }));
    await expect(client.logs(RANGE)).rejects.toMatchObject({ reason: 'pruned', of: 'logs' });
  });

  test('behavior: missing logs of differing nodes are not requested again', async () => {
    const log = { blockNumber: 11 } as RawLog;
    let calls = 0;
    const first = urlOf(1, { logs: () => (++calls === 3 ? [log] : []) });
    const { client } = connect(first);
    expect(await client.logs(RANGE)).toEqual([]);
    expect(first.asked).toHaveLength(1);
    first.keeps.uneven = true;
    calls = 0;
    expect(await client.logs(RANGE)).toEqual([log]);
    expect(first.keeps.lossy).toBe(true);
  });
});
