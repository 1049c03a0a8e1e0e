import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AlertState,
  evaluate,
  evaluateAgain,
  NEVER_FIRED,
  type StoredTransition,
  stateAfter,
} from './evaluate.ts';

const rule = { fire: 100n, clear: 50n, silence: 0 };
const at = (values: readonly (number | null)[], step = 60) =>
  values.map((value, i) => ({
    at: 1_000 + i * step,
    value: value === null ? null : BigInt(value),
  }));
const statuses = (values: readonly (number | null)[], bounds = rule) =>
  evaluate(bounds, NEVER_FIRED, at(values)).transitions.map(
    (one) => `${one.status} ${one.at} ${one.value}`,
  );

describe('evaluate', () => {
  test('default: fires at one bound and clears at the other', () => {
    expect(statuses([99, 100, 150, 51, 50, 99, 120])).toEqual([
      'fired 1060 100',
      'cleared 1240 50',
      'fired 1360 120',
    ]);
  });

  test('behavior: an unknown value changes nothing', () => {
    expect(statuses([100, null, null, 99])).toEqual(['fired 1000 100']);
    expect(statuses([null, null])).toEqual([]);
  });

  test('behavior: a value that stays past the bound fires when the silence is over', () => {
    const silent = { ...rule, silence: 200 };
    expect(statuses([100, 0, 100, 100, 100, 100], silent)).toEqual([
      'fired 1000 100',
      'cleared 1060 0',
      'fired 1240 100',
    ]);
  });
});

describe('news', () => {
  test('behavior: news fires while the alert is active or silent, and clears as before', () => {
    const silent = { ...rule, fire: 1n, clear: 0n, silence: 10_000 };
    const changes = [1, 1, 2, 0, 1, 0];
    const observations = at(changes).map((one, i) => ({ ...one, isNews: [0, 2, 4].includes(i) }));
    const { transitions } = evaluate(silent, NEVER_FIRED, observations);
    expect(transitions.map((one) => `${one.status} ${one.at} ${one.value}`)).toEqual([
      'fired 1000 1',
      'fired 1120 2',
      'cleared 1180 0',
      'fired 1240 1',
      'cleared 1300 0',
    ]);
  });
});

describe('evaluateAgain', () => {
  const again = (values: readonly number[], stored: readonly StoredTransition[]) => {
    const { added, retracted } = evaluateAgain(rule, NEVER_FIRED, at(values), stored);
    return [added.map((one) => `${one.status} ${one.at}`), retracted.map(({ id }) => id)];
  };
  const fired = (time: number, isFinal = false): StoredTransition => {
    return { id: time, at: time, status: 'fired', isFinal };
  };

  test('default: earlier transitions are not reported again', () => {
    expect(again([0, 100, 100], [fired(1060)])).toEqual([[], []]);
    expect(again([0, 100, 0], [fired(1060)])).toEqual([['cleared 1120'], []]);
  });

  test('behavior: transitions that are no longer true are retracted', () => {
    expect(again([0, 0, 0], [fired(1060)])).toEqual([[], [1060]]);
    expect(again([100, 100, 0], [fired(1060)])).toEqual([['fired 1000', 'cleared 1120'], [1060]]);
  });

  test('behavior: a final transition stays, and the next ones follow from it', () => {
    expect(again([0, 0, 0], [fired(1060, true)])).toEqual([['cleared 1120'], []]);
    expect(again([100, 0, 60, 100], [fired(1120, true)])).toEqual([
      ['fired 1000', 'cleared 1060'],
      [],
    ]);
  });
});

const bounds = fc
  .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 50 }), fc.nat(500))
  .map(([clear, above, silence]) => ({
    clear: BigInt(clear),
    fire: BigInt(clear + above),
    silence,
  }));
const series = fc
  .array(
    fc.tuple(fc.integer({ min: 1, max: 100 }), fc.option(fc.integer({ min: -60, max: 110 }))),
    {
      maxLength: 60,
    },
  )
  .map((steps) => {
    let time = 1_000;
    return steps.map(([step, value]) => {
      time += step;
      return { at: time, value: value === null ? null : BigInt(value) };
    });
  });

describe('properties', () => {
  test('nothing changes while values are between the bounds', () => {
    fc.assert(
      fc.property(bounds, series, fc.boolean(), (given, observations, active) => {
        const inside = observations.map(({ at: time, value }) => ({
          at: time,
          value: value === null || value <= given.clear || value >= given.fire ? null : value,
        }));
        const former: AlertState = { active, firedAt: active ? 900 : null };
        expect(evaluate(given, former, inside)).toEqual({ state: former, transitions: [] });
      }),
    );
  });

  test('transitions alternate, and no two start within the silence', () => {
    fc.assert(
      fc.property(bounds, series, (given, observations) => {
        const { transitions } = evaluate(given, NEVER_FIRED, observations);
        transitions.forEach(({ status }, i) => {
          expect(status).toBe(i % 2 === 0 ? 'fired' : 'cleared');
        });
        const fired = transitions.filter(({ status }) => status === 'fired');
        for (let i = 1; i < fired.length; i++) {
          expect(fired[i]!.at - fired[i - 1]!.at).toBeGreaterThanOrEqual(given.silence);
        }
      }),
    );
  });

  test('a replay from any cut gives the same transitions and state', () => {
    fc.assert(
      fc.property(bounds, series, fc.nat(60), (given, observations, cut) => {
        const whole = evaluate(given, NEVER_FIRED, observations);
        const first = evaluate(given, NEVER_FIRED, observations.slice(0, cut));
        // Simulates a restart: only the transitions are stored.
        const restored = stateAfter(first.transitions);
        const second = evaluate(given, restored, observations.slice(cut));
        expect([...first.transitions, ...second.transitions]).toEqual(whole.transitions);
        expect(second.state).toEqual(whole.state);
      }),
    );
  });

  test('late data leads to the transitions of an evaluation with all data', () => {
    fc.assert(
      fc.property(bounds, series, series, (given, early, all) => {
        const before = evaluate(given, NEVER_FIRED, early).transitions;
        const stored = before.map((one, id) => ({ ...one, id, isFinal: false }));
        const { added, retracted } = evaluateAgain(given, NEVER_FIRED, all, stored);
        const left = stored.filter((one) => !retracted.includes(one));
        const times = (some: readonly { at: number; status: string }[]) =>
          some.map((one) => `${one.at} ${one.status}`).sort();
        const direct = evaluate(given, NEVER_FIRED, all).transitions;
        expect(times([...left, ...added])).toEqual(times(direct));
      }),
    );
  });

  test('a retraction returns to the former state, and other blocks are evaluated as if they were the first', () => {
    fc.assert(
      fc.property(bounds, series, series, fc.nat(60), (given, removed, replaced, cut) => {
        const common = removed.slice(0, cut);
        const from = (common.at(-1)?.at ?? 1_000) + 1;
        const branch = replaced.map(({ at: time, value }) => ({ at: time - 1_000 + from, value }));
        const before = evaluate(given, NEVER_FIRED, removed);
        const remaining = before.transitions.filter((one) => one.at < from);
        const former = stateAfter(remaining);
        expect(former).toEqual(evaluate(given, NEVER_FIRED, common).state);
        const after = evaluate(given, former, branch);
        const direct = evaluate(given, NEVER_FIRED, [...common, ...branch]);
        expect([...remaining, ...after.transitions]).toEqual(direct.transitions);
      }),
    );
  });
});
