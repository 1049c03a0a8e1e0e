import { existsSync } from 'node:fs';

/** Next to the code in a package, else in the clone. */
const FOLDERS = ['../../docs/', '../../../../docs/'].map((path) => new URL(path, import.meta.url));

/** Returns the path of a file of docs/ from the sources, the build, or a package. */
export function docsFile(name: string): URL {
  const [first, ...others] = FOLDERS.map((folder) => new URL(name, folder));
  return [first!, ...others].find((file) => existsSync(file)) ?? first!;
}
