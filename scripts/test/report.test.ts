import { describe, expect, test } from 'vitest';
import { ROOT } from '../tree.mjs';
import { failedTests, filesToRepeat, joinRuns } from './report.mjs';

const file = (name: string, ...statuses: string[]) => ({
  name: `${ROOT}/${name}`,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index}` })),
});
const first = {
  status: 1,
  report: {
    testResults: [file('a.test.ts', 'passed'), file('b.test.ts', 'passed', 'failed')],
    unhandledErrors: [],
  },
};

describe('filesToRepeat', () => {
  test('default: the files in which something failed', () => {
    expect(filesToRepeat(first.report)).toEqual(['b.test.ts']);
  });

  test('behavior: many failed files are not repeated', () => {
    const testResults = ['a', 'b', 'c', 'd'].map((name) => file(`${name}.test.ts`, 'failed'));
    expect(filesToRepeat({ testResults, unhandledErrors: [] })).toEqual([]);
  });

  test('error: nothing is repeated after an error outside of every test, and it is listed', () => {
    const report = { ...first.report, unhandledErrors: ['late rejection\n    at x'] };
    expect(filesToRepeat(report)).toEqual([]);
    expect(failedTests(report)).toEqual(['b.test.ts > test 1', 'unhandled: late rejection']);
  });
});

describe('joinRuns', () => {
  test('default: a test that failed and then passed counts as passed, once', () => {
    const report = { testResults: [file('b.test.ts', 'passed', 'passed')], unhandledErrors: [] };
    expect(joinRuns(first, { status: 0, report })).toMatchObject({
      status: 0,
      report: { numPassedTests: 3, numFailedTests: 0 },
    });
  });

  test('error: a test that fails again has failed', () => {
    const report = { testResults: [file('b.test.ts', 'failed', 'passed')], unhandledErrors: [] };
    const joined = joinRuns(first, { status: 1, report });
    expect(joined).toMatchObject({ status: 1, report: { numPassedTests: 2, numFailedTests: 1 } });
    expect(failedTests(joined.report)).toEqual(['b.test.ts > test 0']);
  });
});
