import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node, ROOT, tool } from './tree.mjs';

// Each part has a name and a program in bench/src. Runs all parts, or the named ones, with the remaining arguments: npm
// run bench -- backfill --no-peers
const PARTS = {
  backfill: 'backfill',
  demo: 'demo',
  'vault-api': 'vaultApi/vaultApi',
  events: 'events/events',
  scale: 'scale/scale',
  export: 'export/export',
  families: 'families/families',
  providers: 'providers/providers',
  risk: 'risk/risk',
  'risk-backtest': 'riskBacktest/riskBacktest',
  payments: 'payments/payments',
  client: 'client/client',
  dashboard: 'dashboard/dashboard',
  'command-line': 'commandLine',
  mcp: 'mcp',
};
const words = process.argv.slice(2);
const firstOther = words.findIndex((word) => !(word in PARTS));
const named = firstOther === -1 ? words : words.slice(0, firstOther);
const args = words.slice(named.length);
if (args[0] !== undefined && !args[0].startsWith('-')) {
  console.error(
    `There is no part ${args[0]}: name ${Object.keys(PARTS).join(', ')}, or none for all.`,
  );
  process.exit(2);
}
if (named.length === 0 && args.length > 0) {
  console.error(
    'Options belong to a part: name it before them, as in npm run bench -- backfill --runs 1',
  );
  process.exit(2);
}

ensureInstalled();
ensureBuilt();
node(tool('tsc'), ['-p', 'bench/tsconfig.build.json']);
for (const name of named.length > 0 ? named : Object.keys(PARTS)) {
  console.log(`\n${name}`);
  const program = join(ROOT, 'bench/dist', `${PARTS[name]}.js`);
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  // A measurement out of bounds does not stop the others.
  if (status !== 0) process.exitCode = 1;
}
