import { existsSync, readFileSync } from 'node:fs';

/** The dashboard's own files: next to its build, else in the clone. */
const FOLDERS = ['../../dashboard/', '../../../../dashboard/src/'];

/** Tokens, type, and color schemes of all pages. */
export const THEME = readLook('theme.css');

/** The logo as an SVG document. */
export const ICON = readLook('icon.svg').trim();

function readLook(name: string): string {
  const files = FOLDERS.map((folder) => new URL(folder + name, import.meta.url));
  return readFileSync(files.find((file) => existsSync(file)) ?? files[0]!, 'utf8');
}
