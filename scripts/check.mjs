import {
  checkClientImports,
  checkDashboardImports,
  checkImports,
  checkPaymentsImports,
  checkRiskImports,
} from './imports.mjs';
import { checkLanguage } from './language.mjs';
import { ensureInstalled, node, tool } from './tree.mjs';

ensureInstalled();
node(tool('biome'), ['check', '--error-on-warnings', '.']);
// The server's commands are type-checked with the built types of the client.
node(tool('tsc'), ['-p', 'client/tsconfig.build.json']);
for (const workspace of ['server', 'client', 'devnet', 'bench', 'dashboard', 'scripts'])
  node(tool('tsc'), ['-p', `${workspace}/tsconfig.json`]);
const problems = [
  ...checkImports(),
  ...checkPaymentsImports(),
  ...checkRiskImports(),
  ...checkClientImports(),
  ...checkDashboardImports(),
  ...checkLanguage(),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log('format, lint, types, imports and language are in order');
