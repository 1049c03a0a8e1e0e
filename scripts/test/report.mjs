import { relative } from 'node:path';
import { ROOT } from '../tree.mjs';

const SHOWN = 20;
/** If more files than this fail, the change is at fault, not a busy machine. */
const MAX_REPEATED = 3;

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

/** Returns the tests of a Vitest JSON report that failed, by their full name, and what failed outside of a test, with the reason. */
export function failedTests(report) {
  const outside = report.unhandledErrors.map((message) => `unhandled: ${firstLine(message)}`);
  const inFiles = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(ROOT, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length > 0) return failed.map(({ fullName }) => `${file} > ${fullName}`);
    return status === 'failed' ? [`${file}: ${firstLine(message)}`] : [];
  });
  return [...inFiles, ...outside];
}

/** Returns the files of a Vitest JSON report in which something failed. */
function failedFiles(report) {
  return report.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(ROOT, name));
}

/**
 * Returns the files to run again: those that failed, if they are few. An error outside of every test belongs to no file, so
 * that no second run can show that it is gone.
 */
export function filesToRepeat(report) {
  const failed = failedFiles(report);
  return failed.length <= MAX_REPEATED && report.unhandledErrors.length === 0 ? failed : [];
}

/** Returns the result of two runs of which the second repeated the failed files of the first. */
export function joinRuns(first, second) {
  const passed = first.report.testResults.filter(({ status }) => status !== 'failed');
  const testResults = [...passed, ...second.report.testResults];
  const count = (wanted) =>
    testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === wanted).length;
  const { unhandledErrors } = second.report;
  const report = {
    testResults,
    unhandledErrors,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
  };
  return { status: second.status, report };
}

function firstLine(text) {
  return text.split('\n')[0];
}
