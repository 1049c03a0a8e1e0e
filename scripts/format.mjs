import { ensureInstalled, node, tool } from './tree.mjs';

// Formats every file, sorts imports, and applies the safe fixes of the linter.
ensureInstalled();
node(tool('biome'), ['check', '--write', ...process.argv.slice(2), '.']);
