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

/** Returns the tests of a Vitest JSON report that failed, and the files that could not be run, by their full name. */
export function failedTests(report) {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(ROOT, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length > 0) return failed.map(({ fullName }) => `${file} > ${fullName}`);
    return status === 'failed' ? [file] : [];
  });
}
