import { expect, test, vi } from 'vitest';
import { createPace } from './pace.ts';
import { createRetryingRpc } from './retryingRpc.ts';
import type { RpcCall, RpcClient, RpcOutcome } from './rpcClient.ts';
import { RpcRateLimited, RpcRefused, RpcUnreachable, StateUnavailable } from './rpcError.ts';

const limited = (retryAfterSeconds: number | null = null) =>
  new RpcRateLimited({ upstream: 1, retryAfterSeconds });
const unwell = () => new RpcUnreachable({ upstream: 1, reason: 'status', status: 503 });
const calls = (count: number): RpcCall[] =>
  Array.from({ length: count }, (_, i) => ({ method: `m${i}`, params: [] }));

/** A URL with scripted results by method, each failure once, and its calls in order. */
function connect(failures: Record<string, Error[]>, retryMs = 60_000, requestedMs = retryMs) {
  const asked: string[] = [];
  const outcomeOf = (method: string): RpcOutcome => {
    asked.push(method);
    const error = failures[method]?.shift();
    return error === undefined ? { result: method } : { error: error as RpcRateLimited };
  };
  const rpc: RpcClient = {
    upstream: 1,
    async request(method) {
      const outcome = outcomeOf(method);
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    },
    batch: async (list) => list.map(({ method }) => outcomeOf(method)),
    close: vi.fn(),
  };
  // The pauses end at once, so no test waits.
  const pace = createPace({
    random: () => 0,
    setTimer: (work) => setImmediate(work),
    clock: ticking(),
  });
  return { rpc: createRetryingRpc(rpc, { pace, retryMs, requestedMs }), asked };
}

/** A URL that requests a long wait, and does not respond once it is closed. */
function waiting() {
  let isClosed = false;
  const plain: RpcClient = {
    upstream: 1,
    async request() {
      if (isClosed) throw new RpcUnreachable({ upstream: 1, reason: 'aborted' });
      throw new RpcRateLimited({ upstream: 1, retryAfterSeconds: 40 });
    },
    batch: async () => [],
    close: () => {
      isClosed = true;
    },
  };
  const rpc = createRetryingRpc(plain, { pace: createPace(), retryMs: 45_000 });
  // Closes once the call waits for its next turn.
  return { rpc, close: () => setTimeout(rpc.close, 20) };
}

/** A clock that advances with every read. */
function ticking(): () => number {
  let now = 0;
  return () => {
    now += 50;
    return now;
  };
}

test('default', async () => {
  const { rpc, asked } = connect({});
  expect(await rpc.request('m', [])).toBe('m');
  expect(await rpc.batch(calls(3))).toEqual([{ result: 'm0' }, { result: 'm1' }, { result: 'm2' }]);
  expect(asked).toEqual(['m', 'm0', 'm1', 'm2']);
});

test('behavior: a rate-limited call is retried', async () => {
  const { rpc, asked } = connect({ m: [limited(), limited()] });
  expect(await rpc.request('m', [])).toBe('m');
  expect(asked).toEqual(['m', 'm', 'm']);
});

test('behavior: the results of a batch are kept', async () => {
  const { rpc, asked } = connect({ m1: [limited()], m3: [unwell()] });
  const outcomes = await rpc.batch(calls(4));
  expect(outcomes).toEqual(['m0', 'm1', 'm2', 'm3'].map((result) => ({ result })));
  expect(asked.slice(0, 4)).toEqual(['m0', 'm1', 'm2', 'm3']);
  expect(asked.slice(4).sort()).toEqual(['m1', 'm3']);
});

test('behavior: a rejection of the call itself is final', async () => {
  const reverted = new RpcRefused({ upstream: 1, code: 3, reverted: true });
  const { rpc, asked } = connect({ m: [reverted], m1: [reverted] });
  await expect(rpc.request('m', [])).rejects.toBe(reverted);
  expect((await rpc.batch(calls(2)))[1]).toEqual({ error: reverted });
  expect(asked).toEqual(['m', 'm0', 'm1']);
});

test('behavior: pruned state is final', async () => {
  const pruned = new StateUnavailable({ upstream: 1, reason: 'pruned' });
  const { rpc, asked } = connect({ m: [pruned] });
  await expect(rpc.request('m', [])).rejects.toBe(pruned);
  expect(asked).toEqual(['m']);
});

test('error: a URL that rate-limits every call is given up', async () => {
  const always = Array.from({ length: 1_000 }, () => limited());
  const { rpc, asked } = connect({ m: always }, 5_000);
  await expect(rpc.request('m', [])).rejects.toBeInstanceOf(RpcRateLimited);
  expect(asked.length).toBeGreaterThan(3);
});

test('behavior: a wait that the URL requests may be longer than retries without such a request', async () => {
  const { rpc, asked } = connect({ m1: [limited(60), limited(60)] }, 45_000, 180_000);
  expect(await rpc.batch(calls(3))).toEqual([{ result: 'm0' }, { result: 'm1' }, { result: 'm2' }]);
  expect(asked).toEqual(['m0', 'm1', 'm2', 'm1', 'm1']);
});

test('error: does not wait for hours', async () => {
  const { rpc, asked } = connect({ m: [limited(3_600)] }, 45_000, 180_000);
  await expect(rpc.request('m', [])).rejects.toBeInstanceOf(RpcRateLimited);
  expect(asked).toEqual(['m']);
  // The URL is retried after two minutes at most.
  expect(await rpc.request('m', [])).toBe('m');
});

test('error: an exhausted plan is not retried', async () => {
  const quota = new RpcRateLimited({ upstream: 1, retryAfterSeconds: null, quota: true });
  const { rpc, asked } = connect({ m: [quota] });
  await expect(rpc.request('m', [])).rejects.toBe(quota);
  expect(asked).toEqual(['m']);
});

test('behavior: closing ends the wait for a limited URL', async () => {
  const { rpc, close } = waiting();
  const asked = rpc.request('m', []);
  close();
  await expect(asked).rejects.toMatchObject({ reason: 'aborted' });
});

test('error: an urgent call is not repeated, since another URL may work', async () => {
  const { rpc, asked } = connect({ m: [unwell()] });
  await expect(rpc.request('m', [], { urgent: true })).rejects.toBeInstanceOf(RpcUnreachable);
  expect(asked).toEqual(['m']);
});

test('error: a persistent failure is thrown after a few attempts', async () => {
  const { rpc, asked } = connect({ m: Array.from({ length: 10 }, unwell) });
  await expect(rpc.request('m', [])).rejects.toBeInstanceOf(RpcUnreachable);
  expect(asked).toHaveLength(5);
});
