import { describe, expect, test } from 'vitest';
import { BATCH_TEXTS, type Reason, TEXTS } from '../../test/providerTexts.ts';
import { classify, refusesBatch } from './rpcErrorWording.ts';

const EXPECTED: Readonly<Record<Reason, object>> = {
  'too wide': { name: 'RangeTooWide' },
  'too many addresses': { name: 'TooManyAddresses' },
  'too deep': { name: 'StateUnavailable', reason: 'pruned' },
  'ahead of this node': { name: 'StateUnavailable', reason: 'unknown-block', mayBePruned: false },
  'by distance from the head': {
    name: 'StateUnavailable',
    reason: 'unknown-block',
    mayBePruned: true,
  },
  'too fast': { name: 'RpcRateLimited', quota: false },
  'used up': { name: 'RpcRateLimited', quota: true },
  'timed out': { name: 'RpcUnreachable', reason: 'server-timeout' },
  unhealthy: { name: 'RpcUnreachable', reason: 'unhealthy' },
};

describe('classify, on the texts of real providers', () => {
  describe.each(Object.keys(TEXTS) as Reason[])('%s', (name) => {
    test.each(TEXTS[name])('behavior: $text', ({ code = -32000, status = 200, data, text }) => {
      const range = { fromBlock: 1_000, toBlock: 2_999 };
      const context = { upstream: 1, status, retryAfterSeconds: null, range };
      expect(classify({ code, message: text, data }, context)).toMatchObject(EXPECTED[name]);
    });
  });
});

describe('refusesBatch, on the texts of real providers', () => {
  test.each(BATCH_TEXTS)('default: $text', ({ code = -32000, data, text }) => {
    expect(refusesBatch({ code, message: text, data })).toBe(true);
  });
});
