import { spawn } from 'node:child_process';
import { join, parse } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled programs. */
    children: string;
  }
}

export interface Child {
  readonly pid: number;
  /** Returns the next line that it prints; undefined once it has ended. */
  nextLine(): Promise<string | undefined>;
  /** Kills the process with `kill -9` and waits until it is gone. */
  kill(): Promise<void>;
  /** Its exit code; null if a signal ended it. */
  readonly exit: Promise<number | null>;
  /** Returns its stderr so far. */
  errors(): string;
}

/** Runs a file of `test/children` in its own process, as bundled by the global setup. */
export function startChild(file: string, ...args: string[]): Child {
  return startChildUnder([], file, ...args);
}

/** Runs the file through a command that takes a command after its own arguments, such as `env` or `unshare`. */
export function startChildUnder(
  command: readonly string[],
  file: string,
  ...args: string[]
): Child {
  const script = join(inject('children'), `${parse(file).name}.js`);
  return start([...command, process.execPath, script, ...args]);
}

export function startNode(...args: string[]): Child {
  return start([process.execPath, ...args]);
}

function start(words: readonly string[]): Child {
  const child = spawn(words[0]!, words.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code));
  });

  async function nextLine(): Promise<string | undefined> {
    const { value, done } = await lines.next();
    return done ? undefined : (value as string);
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await exit;
  }

  return { pid: child.pid!, nextLine, kill, exit, errors: () => errors };
}
