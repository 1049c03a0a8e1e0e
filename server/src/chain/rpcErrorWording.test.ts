import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  RangeTooWide,
  RpcRateLimited,
  RpcRefused,
  RpcUnreachable,
  StateUnavailable,
} from './rpcError.ts';
import { classify } from './rpcErrorWording.ts';

const context = { upstream: 2, status: 200, retryAfterSeconds: null };
const range = { fromBlock: 1, toBlock: 50_000 };

function read(code: number, message: string, more: object = {}) {
  return classify({ code, message, data: undefined }, { ...context, ...more });
}

describe('classify', () => {
  test.each([
    [-32005, 'daily request count exceeded, request rate limited'],
    [-32005, 'rate limit exceeded'],
    [429, 'Your app has exceeded its compute units per second capacity'],
    [-32016, 'over rate limit'],
    [-32007, '50/second request limit reached - reduce calls per second or upgrade your account'],
    [-32000, 'Too Many Requests'],
    [-32090, 'Too many requests, reason: call rate limit exhausted, retry in 10s'],
  ])('behavior: rate limit %s %s', (code, message) => {
    expect(read(code, message)).toBeInstanceOf(RpcRateLimited);
    expect(read(code, message, { range })).toBeInstanceOf(RpcRateLimited);
  });

  test.each([
    'missing trie node 288259a570 (path ) state 0x28 is not available, not found',
    'required historical state unavailable (reexec=128)',
    'historical state 0xab is not available',
    'This request is not supported because your node is running with state pruning. Run with --pruning=archive.',
    'state already discarded for block 12',
    'state at block #100 is pruned',
    'Archive, Debug and Trace requests are not available on your current plan',
  ])('behavior: pruned: %s', (message) => {
    expect(read(-32000, message)).toMatchObject({ reason: 'pruned', retry: false });
  });

  test.each([
    'header not found',
    'Unknown block',
    'block range extends beyond current head block',
    'invalid block range params',
    'Received invalid block tag 310. Latest block number is 275',
    'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found.',
  ])('behavior: a block it does not have: %s', (message) => {
    const error = read(-32000, message, { range });
    expect(error).toBeInstanceOf(StateUnavailable);
    expect(error).toMatchObject({ reason: 'unknown-block', retry: true });
  });

  test('behavior: the reason may be in data', () => {
    const data = { error_id: '4e', payload: 'range 50000 is bigger than range limit 2000' };
    const error = classify(
      { code: -32602, message: 'invalid params', data },
      { ...context, range },
    );
    expect(error).toBeInstanceOf(RangeTooWide);
    expect(error).toMatchObject({ maxBlocks: 2_000, suggestedTo: 2_000 });
  });

  test('behavior: -32005 with an unknown text is a result limit for logs, a rate limit otherwise', () => {
    expect(read(-32005, 'limit exceeded', { range })).toBeInstanceOf(RangeTooWide);
    expect(read(-32005, 'limit exceeded')).toBeInstanceOf(RpcRateLimited);
  });

  test('behavior: a contract cannot imitate a failure of the node', () => {
    const error = read(3, 'execution reverted: rate limit, missing trie node, header not found');
    expect(error).toMatchObject({ name: 'RpcRefused', reverted: true, retry: false });
    expect(read(-32000, 'execution reverted: Too Many Requests')).toMatchObject({ reverted: true });
    const bare = "reverted with reason string 'rate limit'";
    expect(read(-32000, bare)).toMatchObject({ name: 'RpcRefused', reverted: true });
  });

  test('behavior: a gateway without a healthy node behind it', () => {
    const error = read(-32011, 'no backend is currently healthy to serve traffic');
    expect(error).toBeInstanceOf(RpcUnreachable);
  });

  test.each([
    [-32000, 'request timed out', 200],
    [-32002, 'request timed out', 200],
    [-32000, 'context deadline exceeded', 200],
    [-32015, 'gateway timeout', 504],
    [-32603, 'internal error', 524],
    [-32000, 'upstream did not respond', 408],
  ])('behavior: a log range that took too long: %s %s, HTTP %s', (code, message, status) => {
    expect(read(code, message, { range, status })).toMatchObject({ reason: 'server-timeout' });
    expect(read(code, message, { status })).not.toMatchObject({ reason: 'server-timeout' });
  });

  test('behavior: the text of the RPC endpoint can be matched, and is never shown', () => {
    const secret = 'https://node.example/v2/s3cr3t';
    const errors = [
      read(-32603, `${secret} failed`),
      read(-32005, `${secret} rate limit`),
      read(-32000, `${secret} missing trie node`),
      read(-32000, `${secret} block range too wide`, { range }),
      read(-32000, `${secret} timeout`),
    ];
    for (const error of errors) {
      expect(error.raw.text).toContain(secret);
      const shown = inspect(error, { showHidden: true, depth: null });
      const text = `${error.safeText} ${error.message} ${JSON.stringify(error)} ${String(error.cause)} ${shown}`;
      expect(text).not.toMatch(/example|s3cr3t|https/);
      expect(error.safeText).toContain('rpc 2');
    }
    expect(errors[0]).toBeInstanceOf(RpcRefused);
    expect(errors[0]!.safeText).toBe('rpc 2 refused the request: internal error (-32603)');
  });

  test.each([
    ['plain', '0xAB12'],
    ['after a word', 'Reverted 0xab12'],
    ['deeper', { data: '0xab12' }],
    ['deeper still', { originalError: { data: '0xab12' } }],
  ])('behavior: what a reverted call returned: %s', (_, data) => {
    const error = classify({ code: 3, message: 'execution reverted: No', data }, context);
    expect(error.raw).toEqual({ text: 'execution reverted: no', data: '0xab12' });
  });

  test('behavior: a call that returned nothing that can be read', () => {
    expect(read(3, 'execution reverted').raw.data).toBeNull();
    expect(new RpcUnreachable({ upstream: 1, reason: 'timeout' }).raw).toEqual({
      text: '',
      data: null,
    });
  });
});
