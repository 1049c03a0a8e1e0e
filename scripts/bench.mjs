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
  node(join(ROOT, `bench/dist/${name}.js`), args);
}
