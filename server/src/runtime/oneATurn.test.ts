import { expect, test } from 'vitest';
import { createOneATurn } from './oneATurn.ts';

test('createOneATurn: default: one in each turn of the event loop, in the order of their arrival', async () => {
  const turn = createOneATurn();
  let turns = 0;
  const count = () => {
    turns++;
    if (turns < 20) setImmediate(count);
  };
  const seen: [number, number][] = [];
  const work = Array.from({ length: 5 }, async (_, i) => {
    await turn();
    seen.push([i, turns]);
  });
  setImmediate(count);
  await Promise.all(work);
  expect(seen.map(([i]) => i)).toEqual([0, 1, 2, 3, 4]);
  const apart = seen.slice(1).map(([, at], i) => at - seen[i]![1]);
  expect(apart).toEqual([1, 1, 1, 1]);
});
