import { describe, expect, test } from 'vitest';
import { problemOf } from './problem.ts';

const respond = (body: unknown, status = 400) =>
  problemOf(new Response(null, { status, statusText: 'Bad' }), JSON.stringify(body));

describe('problemOf', () => {
  test('default', () => {
    const errors = [{ parameter: 'limit', reason: 'must be positive' }];
    const body = { type: 'about:blank', title: 'Bad Request', detail: 'no', code: 'x', errors };
    const sent = { ...body, candidates: ['a'], nearest: null };
    expect(respond(sent)).toMatchObject({
      type: 'problem',
      message: '400: no',
      problem: { ...sent, status: 400 },
    });
  });

  // JSON that throws a TypeError when it is made a string.
  const noText = { toString: 1, valueOf: 1 };

  test.each([
    { type: noText, title: noText, detail: noText, code: noText },
    { title: 1, detail: null, errors: 'x', candidates: 'x' },
    { errors: [null], candidates: [noText] },
    { errors: [{ parameter: noText, reason: 'x' }] },
    [],
    null,
    'text',
    1,
  ])('behavior: fields of another type are ignored: %j', (body) => {
    expect(respond(body)).toMatchObject({ type: 'problem', message: '400: Bad', status: 400 });
    const { problem } = respond(body);
    expect(problem).toEqual({ type: 'about:blank', title: 'Bad', status: 400 });
  });
});
