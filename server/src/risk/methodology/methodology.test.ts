import { describe, expect, test } from 'vitest';
import { GRADES } from '../../domain/risk/graph.ts';
import { LOST_BY_KIND, LOST_OF_ALL } from '../grade/baseRates.ts';
import { CLOSURE_WEIGHTS } from '../grade/closure.ts';
import { LOSS_WEIGHTS } from '../grade/lossWeights.ts';
import { CUTOFFS, gradeOf, leastHazard } from '../grade/method.ts';
import { methodology } from './methodology.ts';
import { methodologyPage } from './methodologyPage.ts';

describe('methodology', () => {
  test('behavior: the page in docs is made from the tables that grade', async () => {
    // After a change of the method, run: npm test -- server/src/risk/methodology/methodology.test.ts -u
    await expect(methodologyPage(methodology())).toMatchFileSnapshot(
      '../../../../docs/methodology.md',
    );
  });

  test.each([
    ['loss', methodology().factors, LOSS_WEIGHTS],
    ['closure', methodology().closure, CLOSURE_WEIGHTS],
  ] as const)(
    'behavior: every factor of %s is published with all of its rows',
    (_, all, weights) => {
      const published = all.filter(({ of }) => of === 'Protocol');
      const values = published.map(({ rows }) => rows.map(({ value }) => value));
      const tables: readonly object[] = Object.values(weights);
      expect(values.toSorted()).toEqual(tables.map((table) => Object.values(table)).toSorted());
    },
  );

  test('behavior: a floor earns exactly its grade, for each grade that is given', () => {
    const given = [...CUTOFFS.map(({ grade }) => grade), 'F' as const];
    expect(given.map((grade) => gradeOf(leastHazard(grade)))).toEqual(given);
    expect(GRADES.filter((grade) => !given.includes(grade))).toEqual(['E']);
  });

  test("behavior: the back-test's counts add up", () => {
    const { grades, gradesOfAll, loss, sizes, protocols } = methodology().backtest;
    const sum = <Row>(rows: readonly Row[], pick: (row: Row) => number) =>
      rows.reduce((total, row) => total + pick(row), 0);
    expect([sum(grades, ({ of }) => of), sum(grades, ({ lost }) => lost)]).toEqual([
      loss[0]!.protocols,
      loss[0]!.happened,
    ]);
    expect(sum(gradesOfAll, ({ of }) => of)).toBe(protocols);
    expect(sum(sizes, (row) => row.protocols)).toBe(protocols);
    const kinds = Object.values(LOST_BY_KIND).map(({ all }) => all);
    expect({ of: sum(kinds, ({ of }) => of), lost: sum(kinds, ({ lost }) => lost) }).toEqual(
      LOST_OF_ALL,
    );
  });
});
