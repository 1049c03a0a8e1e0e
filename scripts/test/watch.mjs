import { ensureBuilt, ensureInstalled, node, tool } from '../tree.mjs';

// npm run test:watch [-- PATHS]: runs the unit tests, then again those that a change affects. For integration tests, add
// `--project integration`.
const args = process.argv.slice(2);
const project = args.some((arg) => arg.startsWith('--project')) ? [] : ['--project', 'unit'];
ensureInstalled();
if (project.length === 0) ensureBuilt();
node(tool('vitest'), ['watch', ...project, ...args]);
