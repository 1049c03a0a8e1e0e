import { describe, expect, test } from 'vitest';
import { createBudget } from './budget.ts';
import { PROFILES } from './profiles.ts';

function createClock() {
  let time = 1_700_000_000;
  return {
    now: () => time,
    sleep: () => Promise.resolve(),
    advance(seconds: number) {
      time += seconds;
    },
  };
}

describe('createBudget', () => {
  test('default: the bucket fills up to its size, and returns the wait time of a limited call', () => {
    const clock = createClock();
    const budget = createBudget(PROFILES['chainstack-free'], clock);
    expect(budget.charge(250)).toEqual({ kind: 'charged' });
    expect(budget.charge(5)).toEqual({ kind: 'rate', waitSeconds: 0.2 });
    clock.advance(1);
    expect(budget.charge(25)).toEqual({ kind: 'charged' });
    expect(budget.charge(1)).toMatchObject({ kind: 'rate' });
    clock.advance(1_000);
    expect(budget.charge(250)).toEqual({ kind: 'charged' });
    expect(budget.charge(1)).toMatchObject({ kind: 'rate' });
    expect(budget.used()).toBe(525);
  });

  test('behavior: a call that costs more than the bucket holds leaves a debt', () => {
    const clock = createClock();
    const budget = createBudget(PROFILES['infura-free'], clock);
    expect(budget.charge(1_000)).toEqual({ kind: 'charged' });
    expect(budget.charge(80)).toEqual({ kind: 'rate', waitSeconds: 580 / 500 });
    clock.advance(580 / 500 + 0.001);
    expect(budget.charge(80)).toEqual({ kind: 'charged' });
  });

  test('behavior: no limit', () => {
    const budget = createBudget(PROFILES['reth-pruned'], createClock());
    expect(budget.charge(1e9)).toEqual({ kind: 'charged' });
  });
});
