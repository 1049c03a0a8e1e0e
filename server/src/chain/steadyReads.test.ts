import { expect, test } from 'vitest';
import type { ChainClient, Header } from './chainClient.ts';
import { StateUnavailable } from './rpcError.ts';
import { withSteadyReads } from './steadyReads.ts';

const header = (number: number) => ({ number }) as Header;

/** Two nodes behind one URL that respond in turn: one is at block 20, the other at 10. */
function balanced() {
  let turn = 0;
  const headOf = () => (turn++ % 2 === 0 ? 20 : 10);
  const client = {
    upstream: 1,
    header: async (block: number | string) => {
      const head = headOf();
      if (typeof block === 'string') return header(head);
      return block <= head ? header(block) : null;
    },
    headers: async (numbers: readonly number[]) => {
      const head = headOf();
      return numbers.map((number) => (number <= head ? header(number) : null));
    },
    code: async (_: string, block: number) => {
      if (block <= headOf()) return '0x01';
      throw new StateUnavailable({ upstream: 1, reason: 'unknown-block' });
    },
  } as unknown as ChainClient;
  return { client: withSteadyReads(client), asked: () => turn };
}

test('default: a block that the URL has reported is found', async () => {
  const { client } = balanced();
  expect(await client.header('latest')).toEqual(header(20));
  for (let i = 0; i < 4; i++) expect(await client.header(15)).toEqual(header(15));
  for (let i = 0; i < 4; i++) {
    expect(await client.headers([5, 15, 20])).toEqual([header(5), header(15), header(20)]);
    expect(await client.code(`0x${'11'.repeat(20)}`, 18)).toBe('0x01');
  }
});

test('behavior: a block that it has not reported is requested once', async () => {
  const { client, asked } = balanced();
  await client.header('latest');
  expect(await client.header(25)).toBeNull();
  expect(await client.headers([25])).toEqual([null]);
  await expect(client.code(`0x${'11'.repeat(20)}`, 25)).rejects.toBeInstanceOf(StateUnavailable);
  expect(asked()).toBe(4);
});
