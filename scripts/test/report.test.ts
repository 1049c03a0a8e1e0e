import { describe, expect, test } from 'vitest';
import { ROOT } from '../tree.mjs';
import { failedFiles, failedTests, joinRuns } from './report.mjs';

const file = (name: string, ...statuses: string[]) => ({
  name: `${ROOT}/${name}`,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index}` })),
});
const first = {
  status: 1,
  report: { testResults: [file('a.test.ts', 'passed'), file('b.test.ts', 'passed', 'failed')] },
};

describe('joinRuns', () => {
  test('default: what failed and then passed counts as passed, once', () => {
    expect(failedFiles(first.report)).toEqual(['b.test.ts']);
    const report = { testResults: [file('b.test.ts', 'passed', 'passed')] };
    expect(joinRuns(first, { status: 0, report })).toMatchObject({
      status: 0,
      report: { numPassedTests: 3, numFailedTests: 0 },
    });
  });

  test('error: what fails again has failed', () => {
    const report = { testResults: [file('b.test.ts', 'failed', 'passed')] };
    const joined = joinRuns(first, { status: 1, report });
    expect(joined).toMatchObject({ status: 1, report: { numPassedTests: 2, numFailedTests: 1 } });
    expect(failedTests(joined.report)).toEqual(['b.test.ts > test 0']);
  });
});
