import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ROOT, tool } from '../tree.mjs';
import { failedTests } from './report.mjs';

// npm run test:soak [-- N [PATHS]]: runs the suite N times (default: 5) in random order while two processes keep the
// processors busy, and lists every test that failed in any run with the seed of that run.
const [count = '5', ...paths] = process.argv.slice(2);
const runs = Number(count);
if (!Number.isInteger(runs) || runs < 1) {
  console.error(`npm run test:soak takes a number of runs, not "${count}"`);
  process.exit(2);
}

ensureInstalled();
ensureBuilt();
mkdirSync(join(ROOT, '.assay'), { recursive: true });
// They end when their input ends, so a killed soak leaves nothing behind.
const spin = `process.stdin.resume().on('end', () => process.exit());
  (function turn() { const end = Date.now() + 50; while (Date.now() < end); setImmediate(turn); })();`;
const busy = [0, 1].map(() =>
  spawn(process.execPath, ['-e', spin], { stdio: ['pipe', 'ignore', 'ignore'] }),
);
/** Seeds of the runs in which each test failed. */
const failures = new Map();
let broken = 0;
for (let run = 1; run <= runs; run++) {
  const seed = process.env.ASSAY_SHUFFLE ?? String(randomInt(1e6));
  console.log(`\nRun ${run} of ${runs}: ASSAY_SHUFFLE=${seed} ASSAY_PICK=${seed}`);
  const file = join(ROOT, '.assay/soak-report.json');
  rmSync(file, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [
      tool('vitest'),
      'run',
      '--reporter=dot',
      `--reporter=${join(ROOT, 'scripts/test/jsonReport.mjs')}`,
      `--outputFile.json=${file}`,
      ...paths,
    ],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ASSAY_SHUFFLE: seed, ASSAY_PICK: seed } },
  );
  if (status !== 0) broken += 1;
  // Vitest failed before it ran a test, and printed the reason.
  if (!existsSync(file)) continue;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  for (const name of failedTests(report)) {
    failures.set(name, [...(failures.get(name) ?? []), seed]);
  }
  console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed`);
}
for (const process of busy) process.kill();
for (const [name, seeds] of failures) {
  console.log(`FAILED in ${seeds.length} of ${runs} runs (seed ${seeds.join(', ')}): ${name}`);
}
console.log(`${runs - broken} of ${runs} runs passed`);
process.exit(broken === 0 ? 0 : 1);
