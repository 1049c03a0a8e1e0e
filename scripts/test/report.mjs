import { relative } from 'node:path';
import { ROOT } from '../tree.mjs';

const SHOWN = 20;

/** Returns the slowest files of a Vitest JSON report, one line each, with the seconds that each took. */
export function slowestFiles(report) {
  const files = report.testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SHOWN);
  return files.map(
    ({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${relative(ROOT, name)}`,
  );
}

/** Returns the tests of a Vitest JSON report that failed, by their full name, and the files that failed outside of a test, with the reason. */
export function failedTests(report) {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(ROOT, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length > 0) return failed.map(({ fullName }) => `${file} > ${fullName}`);
    return status === 'failed' ? [`${file}: ${message.split('\n')[0]}`] : [];
  });
}

/** Returns the files of a Vitest JSON report in which something failed. */
export function failedFiles(report) {
  return report.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(ROOT, name));
}

/** Returns the result of two runs of which the second repeated the failed files of the first. */
export function joinRuns(first, second) {
  const passed = first.report.testResults.filter(({ status }) => status !== 'failed');
  const testResults = [...passed, ...second.report.testResults];
  const count = (wanted) =>
    testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === wanted).length;
  const report = { testResults, numPassedTests: count('passed'), numFailedTests: count('failed') };
  return { status: second.status, report };
}
