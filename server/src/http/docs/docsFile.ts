import { existsSync } from 'node:fs';

/** Beside the code in a package, else that of the clone. */
const FOLDERS = ['../../docs/', '../../../../docs/'].map((path) => new URL(path, import.meta.url));

/** Where a file of docs/ is, from the sources, from what is built of them, and in a package. */
export function docsFile(name: string): URL {
  const [first, ...others] = FOLDERS.map((folder) => new URL(name, folder));
  return [first!, ...others].find((file) => existsSync(file)) ?? first!;
}
