import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node, ROOT, tool } from './tree.mjs';

// All of them, or the one that is named first: npm run bench -- backfill --no-ponder
const ALL = ['backfill', 'demo'];
const [first, ...rest] = process.argv.slice(2);
const named = ALL.includes(first);

ensureInstalled();
ensureBuilt();
node(tool('tsc'), ['-p', 'bench/tsconfig.build.json']);
for (const name of named ? [first] : ALL) {
  console.log(`\n${name}`);
  const args = named ? rest : name === 'backfill' ? process.argv.slice(2) : [];
  const { status } = spawnSync(process.execPath, [join(ROOT, `bench/dist/${name}.js`), ...args], {
    stdio: 'inherit',
  });
  // A figure that falls short does not keep the others from being measured.
  if (status !== 0) process.exitCode = 1;
}
