import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Packs a staged folder into the target folder and prints the file with its size. */
export function npmPack(staged, target) {
  const options = ['--ignore-scripts', '--loglevel=error', '--json', '--pack-destination', target];
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', ...options], { cwd: staged, encoding: 'utf8' }),
  );
  const { filename, size, unpackedSize, entryCount } = packed;
  console.log(
    `${join(target, filename)}: ${entryCount} files, ${formatSize(size)}, ${formatSize(unpackedSize)} unpacked`,
  );
}

function formatSize(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
