import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, ROOT } from '../tree.mjs';
import { compileClient } from './compile.mjs';
import { npmPack } from './npmPack.mjs';

/**
 * Writes assay-client-<version>.tgz into a folder, compiled from the sources and not from client/dist, which an unbuilt
 * clone does not have. Returns the staged folder.
 */
export function packClient(target) {
  const staged = join(target, 'client-package');
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  compileClient(join(staged, 'dist'));
  // The scripts need this clone, and "private" keeps the clone's folder, which may have no dist, from being published.
  const { private: _, scripts, devDependencies, ...manifest } = readManifest();
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ['LICENSE', 'README.md']) {
    cpSync(join(ROOT, 'client', name), join(staged, name));
  }
  npmPack(staged, target);
  return staged;
}

function readManifest() {
  return JSON.parse(readFileSync(join(ROOT, 'client/package.json'), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled();
  packClient(resolve(process.argv[2] ?? join(ROOT, 'dist')));
}
