import { describe, expect, test } from 'vitest';
import type { Call } from '../chain/chainClient.ts';
import { batchCalls } from './batchCalls.ts';

describe('batchCalls', () => {
  test('default: calls made in one turn are sent together', async () => {
    const sent: (readonly Call[])[] = [];
    const call = batchCalls(async (calls) => {
      sent.push(calls);
      return calls.map(({ data }) => (data === '0x03' ? null : data));
    });
    expect(await Promise.all([call('0x0a', '0x01'), call('0x0b', '0x02')])).toEqual([
      '0x01',
      '0x02',
    ]);
    expect(await call('0x0c', '0x03')).toBeNull();
    expect(sent.map((calls) => calls.map(({ to }) => to))).toEqual([['0x0a', '0x0b'], ['0x0c']]);
  });

  test('error: an RPC error fails all calls of a batch, and the next batch is sent again', async () => {
    let failing = true;
    const call = batchCalls(async (calls) => {
      if (failing) throw new Error('down');
      return calls.map(({ data }) => data);
    });
    const both = await Promise.allSettled([call('0x0a', '0x01'), call('0x0b', '0x02')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failing = false;
    expect(await call('0x0a', '0x01')).toBe('0x01');
  });
});
