import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable; absent if it is not set or cannot be read: then `problem` says why. */
export interface Variable {
  readonly value?: string;
  readonly problem?: VariableProblem;
}

export interface VariableProblem {
  /** The variable to correct. */
  readonly name: string;
  /** Completes the sentence "environment variable NAME …"; never contains the content of a file. */
  readonly message: string;
}

/** Secrets are a few hundred bytes; anything larger is another file. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads a variable: its own value, the content of the file that `NAME_FILE` names, or the file `NAME` in
 * `$CREDENTIALS_DIRECTORY`, where systemd puts a service's credentials. An empty variable counts as not set.
 */
export function readVariable(env: Environment, name: string): Variable {
  const fileVariable = `${name}_FILE`;
  const [value, file] = [env[name], env[fileVariable]];
  if (value && file) {
    const message = `is set, and ${name} too; keep one of the two`;
    return { problem: { name: fileVariable, message } };
  }
  if (value) return { value };
  if (file) return readSecret(file, fileVariable, `names ${file}, which`);
  const own = value === undefined ? {} : { value };
  if (!env.CREDENTIALS_DIRECTORY) return own;
  const credential = join(env.CREDENTIALS_DIRECTORY, name);
  if (!statSync(credential, { throwIfNoEntry: false })) return own;
  return readSecret(credential, name, `comes from ${credential}, which`);
}

function readSecret(file: string, name: string, subject: string): Variable {
  const fail = (why: string) => ({ problem: { name, message: `${subject} ${why}` } });
  let bytes: Buffer;
  try {
    // A device or a pipe might never end.
    if (!statSync(file).isFile()) return fail('is not a file; name a file that contains the value');
    bytes = readFileSync(file);
  } catch (error) {
    return fail(unreadable((error as NodeJS.ErrnoException).code));
  }
  if (bytes.length > MAX_BYTES)
    return fail('is over 64 KiB; name a file that contains only the value');
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (text === '') return fail('is empty; put the value into it');
  if (/\p{Cc}/u.test(text)) {
    return fail('has more than one line or is not text; put only the value into it');
  }
  return { value: text };
}

function unreadable(code: string | undefined): string {
  if (code === 'ENOENT') return 'does not exist; create it or correct the path';
  if (code === 'EACCES') return 'cannot be read by this user; change its permissions';
  return `cannot be read (${code}); check the path`;
}
