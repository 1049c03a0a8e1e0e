import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './problem.ts';

/** A configuration of 10,000 families is far smaller; anything larger is another file. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Lists the configuration files of a folder, in the order of their names; undefined: it is not a folder. */
export function listFolder(path: string): string[] | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const files = attempt(path, () => readdirSync(path))
    .filter((name) => /^[^.].*\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(path, name));
  if (files.length > 0) return files;
  throw whole(path, 'the folder has no file whose name ends in .yaml or .yml; add one');
}

export function readText(file: string): string {
  const bytes = attempt(file, () => readFileSync(file));
  if (bytes.length > MAX_BYTES) {
    throw whole(file, 'the file is over 64 MiB; name the configuration file');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw whole(file, 'the file is not UTF-8 text; save it as UTF-8');
  }
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw whole(file, unreadable((error as NodeJS.ErrnoException).code));
  }
}

function unreadable(code: string | undefined): string {
  if (code === 'ENOENT') return 'there is no such file; create it, or name another with --config';
  if (code === 'EISDIR') return 'this is a folder; rename it, or name it with --config';
  if (code === 'EACCES') return 'this user cannot read the file; change its permissions';
  return `the file cannot be read (${code ?? 'unknown reason'}); check the path given by --config`;
}

function whole(file: string, message: string): ConfigError {
  return new ConfigError(file, [{ line: null, path: '', message }]);
}
