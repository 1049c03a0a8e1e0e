import { expect, test } from 'vitest';
import {
  MAX_HEAD_BYTES,
  PAID_CORS_HEADERS,
  preparedHeaders,
  withRequestId,
} from './paidHeaders.ts';

test('behavior: prepared headers are those of a single response, whether the id has room or not', () => {
  const ids = [undefined, 'a', 'x'.repeat(64)];
  const seen = new Set<boolean>();
  for (let length = MAX_HEAD_BYTES - 500; length < MAX_HEAD_BYTES; length++) {
    const headers = { ...PAID_CORS_HEADERS, 'payment-required': 'p'.repeat(length) };
    const prepared = preparedHeaders(headers);
    for (const id of ids) {
      const list = prepared(id);
      const pairs = list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]]] : []));
      expect(pairs).toEqual(Object.entries(withRequestId(headers, id)));
      if (id !== undefined) seen.add(list.includes(id));
    }
  }
  expect(seen).toEqual(new Set([true, false]));
});
