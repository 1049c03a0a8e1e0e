import { expect, test } from 'vitest';
import type { Address, Hex } from '../domain/hex.ts';
import type { Call, ChainClient } from './chainClient.ts';
import { withCollectedCalls } from './collectedCalls.ts';

const TO: Address = `0x${'1'.repeat(40)}`;
const call = (data: Hex): Call => ({ to: TO, data });

function node(fail: (block: number) => boolean = () => false) {
  const asked: string[] = [];
  const client = withCollectedCalls({
    async multicall(calls: readonly Call[], block: number) {
      asked.push(`${block}: ${calls.map(({ data }) => data).join(' ')}`);
      if (fail(block)) throw new Error('no');
      return calls.map(({ data }) => (data === '0xff' ? null : data));
    },
  } as unknown as ChainClient);
  return { client, asked };
}

test('default: reads at one block are sent together, and each gets its own results', async () => {
  const { client, asked } = node();
  const answers = await Promise.all([
    client.multicall([call('0x01'), call('0xff')], 7),
    client.multicall([], 7),
    Promise.resolve().then(() => client.multicall([call('0x02')], 7)),
    client.multicall([call('0x03')], 8),
  ]);
  expect(answers).toEqual([['0x01', null], [], ['0x02'], ['0x03']]);
  expect(asked).toEqual(['7: 0x01 0xff 0x02', '8: 0x03']);
});

test('behavior: later reads are sent again', async () => {
  const { client, asked } = node();
  await client.multicall([call('0x01')], 7);
  expect(await client.multicall([call('0x02')], 7)).toEqual(['0x02']);
  expect(asked).toEqual(['7: 0x01', '7: 0x02']);
});

test('error: reads that were sent together fail together, and no others', async () => {
  const { client } = node((block) => block === 7);
  const reads = [7, 7, 8].map((block) => client.multicall([call('0x01')], block));
  const outcomes = await Promise.allSettled(reads);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});
