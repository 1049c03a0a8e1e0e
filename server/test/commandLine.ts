import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const PROGRAM = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url));

/** The built `assay …` in its own process, as an operator runs it. */
export interface RunningCommand {
  readonly pid: number;
  /** Returns what it has printed so far. */
  output(): string;
  errors(): string;
  /** Waits until its output (which includes the log) or its errors match; fails after `seconds` or when it ends. */
  says(pattern: RegExp, seconds?: number): Promise<RegExpExecArray>;
  /** Resolves with its exit code when it is gone; null if a signal ended it. */
  readonly exit: Promise<number | null>;
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

export interface FinishedCommand {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export function startCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): RunningCommand {
  return startCommandUnder([], words, env, cwd);
}

/** Runs it through a command that takes a command after its own arguments, such as `unshare`. */
export function startCommandUnder(
  command: readonly string[],
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): RunningCommand {
  const [program, ...args] = [...command, process.execPath, PROGRAM, ...words];
  const child = spawn(program!, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
  let [out, err] = ['', ''];
  const listeners = new Set<() => void>();
  child.stdout.on('data', (chunk) => {
    out += chunk;
    for (const look of listeners) look();
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
    for (const look of listeners) look();
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));

  function says(pattern: RegExp, seconds = 30): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(`not within ${seconds} s`), seconds * 1000);
      listeners.add(look);
      look();
      exit.then((code) => fail(`ended with ${code}`));

      function look(): void {
        const found = pattern.exec(out) ?? pattern.exec(err);
        if (found === null) return;
        stop();
        resolve(found);
      }
      function fail(why: string): void {
        stop();
        reject(
          new Error(
            `assay ${words[0]} did not say ${pattern}: ${why}\n${out.slice(-2_000)}${err.slice(-2_000)}`,
          ),
        );
      }
      function stop(): void {
        clearTimeout(timer);
        listeners.delete(look);
      }
    });
  }

  return {
    pid: child.pid!,
    output: () => out,
    errors: () => err,
    says,
    exit,
    end(signal) {
      child.kill(signal);
      return exit;
    },
  };
}

/** Runs a command until it ends by itself. */
export async function runCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<FinishedCommand> {
  const command = startCommand(words, env, cwd);
  const code = await command.exit;
  return { code, out: command.output(), err: command.errors() };
}
