import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareDuration } from './test/extents.mjs';
import { failedTests, filesToRepeat, joinRuns, slowestFiles } from './test/report.mjs';
import { listTests } from './test/testFiles.mjs';
import { ensureBuilt, ensureInstalled, node, ROOT, tool } from './tree.mjs';

// npm test [-- PATHS AND VITEST FLAGS]: `--full` runs every suite on both engines, `--long` also takes full counts.
const EXTENTS = { '--full': { ASSAY_FULL: '1' }, '--long': { ASSAY_LONG: '1' } };
const args = process.argv.slice(2);
const extent = Object.assign({}, ...args.map((arg) => EXTENTS[arg]));
const rest = args.filter((arg) => !(arg in EXTENTS));
const paths = rest.filter((arg) => !arg.startsWith('-'));
const name = args.find((arg) => arg in EXTENTS)?.replace('--', 'test:') ?? 'test';
const pick = process.env.ASSAY_PICK ?? String(randomInt(1e6));

ensureInstalled();
// Unit tests run from the sources: without the build, and without the other project's setup, one takes a second or two.
const { unit, integration } = listTests();
const onlyUnit =
  paths.length > 0 && paths.every((path) => matches(unit, path) && !matches(integration, path));
if (!onlyUnit) ensureBuilt();
if (rest.length === 0) node(join(ROOT, 'scripts/test/prepareContracts.mjs'));
const began = performance.now();
if (args.length === 0) node(join(ROOT, 'scripts/check.mjs'));

const first = runTests(rest);
// In CI, a few failed files run again alone, which separates errors from what a busy machine delayed.
const again = process.env.CI && rest.length === 0 ? filesToRepeat(first.report) : [];
const second = again.length > 0 ? runTests(again) : undefined;
const { status, report } = second === undefined ? first : joinRuns(first, second);

if (report.testResults.length > 1) {
  console.log(`Slowest files:\n${slowestFiles(report).join('\n')}\n`);
}
if (rest.length === 0) console.log(compareDuration(name, (performance.now() - began) / 1000));
if (!onlyUnit) console.log(`ASSAY_PICK=${pick} runs these suites on the same engines again.`);
if (second !== undefined) {
  console.log(`Failed at first:\n${lines(failedTests(first.report))}`);
}
const failed = failedTests(report);
if (failed.length > 0) console.log(`Failed:\n${lines(failed)}`);
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed`);
process.exit(status ?? 1);

/** Ends the process if Vitest fails before it runs a test; then it has printed the reason. */
function runTests(args) {
  const file = join(ROOT, '.assay/test-report.json');
  mkdirSync(join(ROOT, '.assay'), { recursive: true });
  rmSync(file, { force: true });
  const json = join(ROOT, 'scripts/test/jsonReport.mjs');
  const reporters = ['--reporter=default', `--reporter=${json}`, `--outputFile.json=${file}`];
  const { status } = spawnSync(
    process.execPath,
    [tool('vitest'), 'run', ...(onlyUnit ? ['--project', 'unit'] : []), ...reporters, ...args],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...extent, ASSAY_PICK: pick } },
  );
  if (!existsSync(file)) process.exit(status || 1);
  return { status, report: JSON.parse(readFileSync(file, 'utf8')) };
}

function lines(names) {
  return names.map((name) => `  ${name}`).join('\n');
}

function matches(files, path) {
  return files.some((name) => name.includes(path));
}
