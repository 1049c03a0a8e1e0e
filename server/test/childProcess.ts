import { spawn } from 'node:child_process';
import { join, parse } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the set-up has put what it bundled. */
    children: string;
  }
}

export interface Child {
  readonly pid: number;
  /** The next line that it prints; undefined when it has ended. */
  nextLine(): Promise<string | undefined>;
  /** Ends it as `kill -9` does, and waits until it is gone. */
  kill(): Promise<void>;
  /** Its exit code, null when a signal ended it. */
  readonly exit: Promise<number | null>;
  /** All that it has printed as errors. */
  errors(): string;
}

/** Runs a file of `test/children`, as the run's set-up has bundled it, in a process of its own. */
export function startChild(file: string, ...args: string[]): Child {
  return startChildUnder([], file, ...args);
}

/** The same through a command that runs the command after its own arguments, such as `env` or `unshare`. */
export function startChildUnder(
  command: readonly string[],
  file: string,
  ...args: string[]
): Child {
  const script = join(inject('children'), `${parse(file).name}.js`);
  return start([...command, process.execPath, script, ...args]);
}

/** Runs Node with these arguments. */
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
