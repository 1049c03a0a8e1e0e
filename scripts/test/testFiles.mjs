import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { IMPORT, TYPES_ONLY } from '../imports.mjs';
import { ROOT } from '../tree.mjs';

const FOLDERS = ['server', 'client', 'dashboard', 'devnet', 'bench', 'scripts'];
/** Imports that start a chain, a browser, or a process, or that need the global setup. */
const REAL_PARTS = new Set([
  '@nomicfoundation/edr',
  'node:child_process',
  'playwright-core',
  'vitest inject',
]);
/** These read the output of the build. */
const NEED_BUILD = new Set([
  'server/src/risk/import/curated.test.ts',
  'server/src/risk/thread/thread.test.ts',
]);
/** Product code may import these without starting anything in a test. */
const PRODUCT = /^(server|client|dashboard)\/src\/(?!.*\.test\.ts$)|^scripts\/tree\.mjs$/;

/**
 * Splits the test files by their imports: `unit` tests run without a database, chain, browser, or process;
 * `integration` tests reach at least one of those through the test code.
 */
export function listTests(root = ROOT) {
  const files = FOLDERS.flatMap((folder) => testsIn(join(root, folder)))
    .map((file) => relative(root, file).split(sep).join('/'))
    .sort();
  const importsOf = createImportReader(root);
  const integration = files.filter(
    (file) => NEED_BUILD.has(file) || reachesRealPart(file, importsOf),
  );
  return { unit: files.filter((file) => !integration.includes(file)), integration };
}

function reachesRealPart(file, importsOf) {
  const seen = new Set([file]);
  for (const current of seen) {
    for (const target of importsOf(current)) {
      if (REAL_PARTS.has(target)) return true;
      if (target.includes('/') && !PRODUCT.test(target)) seen.add(target);
    }
  }
  return false;
}

/** Returns the imports of a file that run code: packages by name, files by path from the root. */
function createImportReader(root) {
  const cache = new Map();
  return (file) => {
    const cached = cache.get(file);
    if (cached) return cached;
    const path = join(root, file);
    const text = /\.(ts|tsx|mjs)$/.test(file) && existsSync(path) ? readFileSync(path, 'utf8') : '';
    const targets = [...text.matchAll(IMPORT)]
      .filter(([statement]) => !TYPES_ONLY.test(statement))
      .map(([statement, from, dynamic]) => {
        const target = from ?? dynamic;
        if (target.startsWith('.')) return join(dirname(file), target).split(sep).join('/');
        return target === 'vitest' && /\binject\b/.test(statement) ? 'vitest inject' : target;
      });
    cache.set(file, targets);
    return targets;
  };
}

function testsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testsIn(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
