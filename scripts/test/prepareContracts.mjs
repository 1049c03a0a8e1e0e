// Compiles the contracts of the tests before a complete run; otherwise the workers would all compile them at the same
// time.
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../tree.mjs';

const FOLDERS = {
  'server/test/realVaults/contracts': 'devnet/dist/realVaults.json',
  'server/test/shapes': 'devnet/dist/shapes.json',
  'server/test/hostile': 'devnet/dist/hostile.json',
};

const { compileFolder } = await import(pathToFileURL(join(ROOT, 'devnet/dist/compile.js')).href);
for (const [folder, cache] of Object.entries(FOLDERS)) {
  await compileFolder(join(ROOT, folder) + sep, join(ROOT, cache));
}
