import { describe, expect, test } from 'vitest';
import { classifyStatus } from './statusError.ts';

const CLOUDFLARE = '<html><title>Access denied</title><body>error code: 1015</body></html>';
const BLOCKED = '<html><title>Attention Required! | Cloudflare</title></html>';
const DOWN = '<html><h1>503 Service Temporarily Unavailable</h1></html>';

const LIMITED = { name: 'RpcRateLimited', quota: false };
const TIMED_OUT = { name: 'RpcUnreachable', reason: 'server-timeout' };
const status = (code: number) => ({ name: 'RpcUnreachable', reason: 'status', status: code });

/** Responses without JSON-RPC: status, body, seconds of `Retry-After`, and how they count for logs and for a call. */
const RESPONSES: readonly (readonly [number, string, number | null, object, object])[] = [
  [429, '', null, LIMITED, LIMITED],
  [429, '', 60, { ...LIMITED, retryAfterSeconds: 60 }, { ...LIMITED, retryAfterSeconds: 60 }],
  [429, CLOUDFLARE, null, LIMITED, LIMITED],
  [403, CLOUDFLARE, null, LIMITED, LIMITED],
  [403, 'error code: 1015', null, LIMITED, LIMITED],
  [200, CLOUDFLARE, null, LIMITED, LIMITED],
  [503, CLOUDFLARE, null, LIMITED, LIMITED],
  [403, BLOCKED, null, status(403), status(403)],
  [401, '', null, status(401), status(401)],
  [402, '', null, { ...LIMITED, quota: true }, { ...LIMITED, quota: true }],
  [503, DOWN, null, status(503), status(503)],
  [503, DOWN, 30, { ...LIMITED, retryAfterSeconds: 30 }, { ...LIMITED, retryAfterSeconds: 30 }],
  [502, BLOCKED, null, status(502), status(502)],
  [500, '', null, status(500), status(500)],
  [408, '', null, TIMED_OUT, status(408)],
  [504, '<html>504</html>', null, TIMED_OUT, status(504)],
  [524, '<html>524</html>', null, TIMED_OUT, status(524)],
  [413, '', null, status(413), status(413)],
  [200, '<html>Welcome</html>', null, { reason: 'garbage' }, { reason: 'garbage' }],
  [200, '', null, { reason: 'garbage' }, { reason: 'garbage' }],
];

describe('classifyStatus', () => {
  test.each(RESPONSES)('default: HTTP %s, %j, Retry-After %s', (code, body, after, logs, call) => {
    const answer = { status: code, body, retryAfterSeconds: after };
    const range = { fromBlock: 1, toBlock: 9 };
    expect(classifyStatus(answer, { upstream: 1, range })).toMatchObject(logs);
    expect(classifyStatus(answer, { upstream: 1 })).toMatchObject(call);
  });
});
