import { describe, expect, test } from 'vitest';
import { planRead, type ReadSoFar } from './readPlan.ts';

const RULES = { fingerprint: 'f1', events: 'e1', contracts: ['0xa', '0xb'] };
const READ: ReadSoFar = {
  ...{ startBlock: 10, indexedBlock: 100, readBlock: 100, rules: 'f1 e1 0xa 0xb' },
  ...{ from: null, to: null },
};

describe('planRead', () => {
  test('default: nothing changes', () => {
    expect(planRead(READ, RULES)).toBeUndefined();
    // A contract that failed this time was read before.
    expect(planRead(READ, { ...RULES, contracts: ['0xb'] })).toBeUndefined();
  });

  test('behavior: a new source misses nothing, one of an older version everything', () => {
    const never = { ...READ, readBlock: null, rules: null };
    expect(planRead({ ...never, indexedBlock: 9 }, RULES)).toEqual({
      ...{ rules: 'f1 e1 0xa 0xb', forgets: false, missing: null },
    });
    expect(planRead(never, RULES)).toEqual({
      ...{ rules: 'f1 e1 0xa 0xb', forgets: false, missing: { from: 10, to: 100 } },
    });
  });

  test('behavior: other events or more contracts are read from the start, and rows are kept', () => {
    expect(planRead(READ, { ...RULES, events: 'e2' })).toEqual({
      ...{ rules: 'f1 e2 0xa 0xb', forgets: false, missing: { from: 10, to: 100 } },
    });
    expect(planRead(READ, { ...RULES, contracts: ['0xa', '0xc'] })).toEqual({
      ...{ rules: 'f1 e1 0xa 0xb 0xc', forgets: false, missing: { from: 10, to: 100 } },
    });
  });

  test('behavior: rows of another vault are forgotten', () => {
    expect(planRead(READ, { ...RULES, fingerprint: 'f2' })).toMatchObject({
      ...{ forgets: true, missing: { from: 10, to: 100 } },
    });
  });

  test('behavior: blocks that an older version indexed in the meantime', () => {
    const behind = { ...READ, readBlock: 80 };
    expect(planRead(behind, RULES)?.missing).toEqual({ from: 81, to: 100 });
    expect(planRead({ ...behind, from: 30, to: 40 }, RULES)?.missing).toEqual({
      from: 30,
      to: 100,
    });
    // These have been read by now.
    expect(planRead({ ...behind, from: 41, to: 40 }, RULES)?.missing).toEqual({
      from: 81,
      to: 100,
    });
  });
});
