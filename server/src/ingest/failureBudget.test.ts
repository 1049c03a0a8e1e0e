import { describe, expect, test } from 'vitest';
import { createFailureBudget, type FailureKind } from './failureBudget.ts';

/** Returns how many failures, and how many ms, exceed the budget if each takes `takes` ms and is followed by a pause. */
function spendAll(kind: FailureKind, takes: number, restAfter: (tries: number) => number) {
  const budget = createFailureBudget();
  let now = 1_000_000;
  const start = now;
  for (let tries = 1; tries < 1_000; tries++) {
    const rest = restAfter(tries);
    if (budget.spend(kind, now, now + rest).over) return { tries, ms: now - start };
    now += rest + takes;
  }
  throw new Error('never over');
}

/** The shortest and the longest pause of an upstream. */
const shortest = (tries: number) => 250 * 2 ** (tries - 1);
const longest = (tries: number) => 500 * 2 ** (tries - 1);

describe('createFailureBudget', () => {
  test('default: one failure', () => {
    expect(createFailureBudget().spend('failing', 0, 500)).toEqual({ tries: 1, over: false });
    expect(createFailureBudget().spend('moving', 0, 500)).toEqual({ tries: 1, over: false });
  });

  test('behavior: an endpoint that fails immediately is retried for some seconds', () => {
    expect(spendAll('failing', 0, shortest)).toEqual({ tries: 5, ms: 3_750 });
    expect(spendAll('failing', 0, longest)).toEqual({ tries: 4, ms: 3_500 });
  });

  test('behavior: two timeouts', () => {
    expect(spendAll('failing', 10_000, longest)).toEqual({ tries: 2, ms: 10_500 });
  });

  test('behavior: a long Retry-After counts as elapsed time', () => {
    expect(spendAll('failing', 0, () => 3_000)).toEqual({ tries: 3, ms: 6_000 });
    expect(spendAll('failing', 0, () => 120_000)).toEqual({ tries: 1, ms: 0 });
  });

  test('behavior: failures without a pause', () => {
    expect(spendAll('failing', 1_000, () => 0)).toEqual({ tries: 6, ms: 5_000 });
  });

  test('behavior: a reorg has a larger budget', () => {
    expect(spendAll('moving', 1_000, () => 0)).toEqual({ tries: 11, ms: 10_000 });
    expect(spendAll('moving', 0, longest)).toEqual({ tries: 5, ms: 7_500 });
  });

  test('behavior: each kind is counted separately', () => {
    const budget = createFailureBudget();
    for (let now = 0; now < 9_000; now += 1_000) budget.spend('moving', now, now);
    expect(budget.spend('failing', 9_000, 9_500)).toEqual({ tries: 1, over: false });
    expect(budget.spend('moving', 10_000, 10_000)).toEqual({ tries: 10, over: true });
  });

  test('behavior: a success resets the budget', () => {
    const budget = createFailureBudget();
    for (let now = 0; now < 3_000; now += 1_000) budget.spend('failing', now, now);
    budget.renew();
    expect(budget.spend('failing', 60_000, 60_500)).toEqual({ tries: 1, over: false });
  });
});
