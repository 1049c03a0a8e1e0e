import { describe, expect, test } from 'vitest';
import { createAnswerCheck } from './answers.ts';

const check = createAnswerCheck();

function status(body: unknown, more: object = {}): string[] {
  return check({
    method: 'GET',
    url: '/v1/status?a=b',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
    ...more,
  });
}

const chain = {
  chainId: 8453,
  name: 'base',
  state: 'live',
  head: '1',
  finalized: null,
  indexedBlock: '1',
  lagSeconds: 0,
  lastError: { message: 'away', since: '2026-07-01T12:00:00.000Z' },
  updatedAt: null,
  families: [],
  feeds: [],
};
/** The fields of a status response other than its chains. */
const rest = {
  database: { state: 'available', reason: null, since: null },
  storage: null,
  version: '1',
};
const problem = { type: 'about:blank', title: 'Not Found', status: 404 };

describe('createAnswerCheck', () => {
  test('default', () => {
    expect(status({ chains: [chain], ...rest })).toEqual([]);
    const type = { contentType: 'application/problem+json; charset=utf-8' };
    expect(status({ ...problem, status: 503 }, { ...type, status: 503 })).toEqual([]);
    expect(status(problem, { ...type, status: 404, url: '/nowhere' })).toEqual([]);
    expect(status(undefined, { status: 304, body: '' })).toEqual([]);
  });

  test.each([
    ['an unknown field', { chains: [], ...rest, more: 1 }],
    ['an unknown field inside', { chains: [{ ...chain, more: 1 }], ...rest }],
    [
      'an unknown field under a null',
      { chains: [{ ...chain, lastError: { ...chain.lastError, more: 1 } }], ...rest },
    ],
    ['a missing field', { ...rest }],
    ['a wrong type', { chains: [{ ...chain, head: 1 }], ...rest }],
    ['an unknown word', { chains: [{ ...chain, state: 'asleep' }], ...rest }],
    ['a time without zone', { chains: [{ ...chain, updatedAt: '2026-07-01' }], ...rest }],
  ])('error: %s', (_, body) => {
    expect(status(body)).not.toEqual([]);
  });

  test('error: an undocumented status or type', () => {
    expect(status(problem, { status: 418 })).toEqual(['answers 418']);
    expect(status(problem, { status: 200, url: '/nowhere' })).toEqual(['answers 200']);
    expect(status({ chains: [], ...rest }, { contentType: 'text/html' })).toHaveLength(1);
    expect(status({}, { status: 503 })).toHaveLength(1);
    expect(status({}, { method: 'HEAD' })).toEqual(['has a body']);
  });
});
