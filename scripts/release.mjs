import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseError } from './release/error.mjs';
import { ensureInstalled, node, ROOT } from './tree.mjs';

// npm run release -- X.Y.Z: writes the version into every file that has it and packs both packages. It commits, tags, and
// publishes nothing; RELEASING.md has the steps after it.
const [version, ...others] = process.argv.slice(2);
ensureInstalled();
// After the installation, because it imports a package.
const { getReleaseFiles } = await import('./release/releaseFiles.mjs');
try {
  if (others.length > 0) throw new ReleaseError('Run "npm run release -- X.Y.Z" with one version.');
  const today = new Date().toISOString().slice(0, 10);
  const files = getReleaseFiles(version, today, (file) => readFileSync(join(ROOT, file), 'utf8'));
  if (git('status', '--porcelain') !== '') {
    throw new ReleaseError('The working tree has changes: commit or stash them first.');
  }
  if (git('tag', '--list', `v${version}`) !== '') {
    throw new ReleaseError(`The tag v${version} exists: choose a newer version.`);
  }
  for (const [file, text] of files) writeFileSync(join(ROOT, file), text);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exit(1);
}
// Installs first, because the lock file changed: npm ci fails if a manifest and the lock file differ.
node(join(ROOT, 'scripts/pack/pack.mjs'));
console.log(`
Version ${version} is ready. Nothing is committed or published. Next:
  1. Review the changes: git diff
  2. Test them: npm run test:full
  3. Commit and tag them: git commit --all --message "release: ${version}" && git tag v${version}
  4. Publish dist/assay-client-${version}.tgz and dist/assay-${version}.tgz as described in RELEASING.md
To undo: git restore .`);

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
