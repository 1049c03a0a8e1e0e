import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node, ROOT, tool } from './tree.mjs';

const words = process.argv.slice(2);
const long = words.includes('--long');
const rest = words.filter((word) => word !== '--long');

ensureInstalled();
ensureBuilt();
if (rest.length === 0) node(join(ROOT, 'scripts/check.mjs'));

const report = join(ROOT, '.assay/test-report.json');
mkdirSync(join(ROOT, '.assay'), { recursive: true });
const { status } = spawnSync(
  process.execPath,
  [
    tool('vitest'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...rest,
  ],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...(long && { ASSAY_LONG: '1' }) } },
);
const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
process.exit(status ?? 1);
