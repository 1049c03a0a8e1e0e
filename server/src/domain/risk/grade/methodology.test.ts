import { describe, expect, test } from 'vitest';
import { GRADES } from '../graph.ts';
import { gradeOf, leastHazard } from './method.ts';
import { methodology } from './methodology.ts';
import { methodologyPage } from './methodologyPage.ts';
import { PROTOCOL_WEIGHTS } from './protocolWeights.ts';

describe('methodology', () => {
  test('behavior: the page in docs is made from the tables that grade', async () => {
    // After a change of the method: npm test -- server/src/domain/risk/grade/methodology.test.ts -u
    await expect(methodologyPage(methodology())).toMatchFileSnapshot(
      '../../../../../docs/methodology.md',
    );
  });

  test('behavior: every factor of a protocol is published with all of its rows', () => {
    const published = methodology().factors.filter(({ of }) => of === 'Protocol');
    expect(published.map(({ rows }) => rows.map(({ value }) => value)).toSorted()).toEqual(
      Object.values(PROTOCOL_WEIGHTS)
        .map((table) => Object.values(table))
        .toSorted(),
    );
  });

  test('behavior: a floor earns exactly its grade', () => {
    expect(GRADES.map((grade) => gradeOf(leastHazard(grade)))).toEqual([...GRADES]);
  });

  test('behavior: the protocols of the back-test by grade add up', () => {
    const { byGrade, protocols, auc } = methodology().backtest;
    const sum = (pick: (row: (typeof byGrade)[number]) => number) =>
      byGrade.reduce((total, row) => total + pick(row), 0);
    expect(sum((row) => row.protocols)).toBe(protocols);
    expect(auc.map(({ happened }) => happened)).toEqual([
      sum((row) => row.dead),
      sum((row) => row.rugged),
    ]);
  });
});
