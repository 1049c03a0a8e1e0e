import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type Command, commandsOf, programOf, savedFile } from './docSnippets.ts';

const run = promisify(execFile);
const ASSAY = fileURLToPath(new URL('../server/bin/assay.mjs', import.meta.url));

/** The URLs of the demo in the documents, and the real ones. */
export interface RunnerDeps {
  /** Working directory of the commands. */
  readonly folder: string;
  /** Texts of the pages, and their replacements. */
  readonly places: Readonly<Record<string, string>>;
  /** Default environment of the commands. */
  readonly env: NodeJS.ProcessEnv;
  /** Starts a program that keeps running, and waits until it is ready. The returned function ends it. */
  startServer(args: readonly string[], env: NodeJS.ProcessEnv): Promise<() => Promise<void>>;
  /** Stops the demo's server, runs an action, and starts the server again. */
  whileStopped(work: () => Promise<void>): Promise<void>;
}

/** Follows the instructions of a page; returns the output of its program. */
export async function runPage(page: string, deps: RunnerDeps): Promise<string> {
  const { folder } = deps;
  const { name, text } = savedFile(page);
  const stops: (() => Promise<void>)[] = [];
  let printed = '';
  await writeFile(join(folder, name), text);
  const commands = commandsOf(page);
  try {
    for (const command of commands) await runCommand(command);
    const isRun = commands.some(({ program }) => program === 'node');
    if (programOf(page) !== '' && !isRun) await runProgram();
  } finally {
    for (const stop of stops) await stop();
  }
  return printed;

  async function runProgram(): Promise<void> {
    const { stdout } = await run(process.execPath, [join(folder, name)], { cwd: folder });
    printed += stdout;
  }

  async function runCommand({ line, env, program: tool, words }: Command): Promise<void> {
    const here = words.map(placed);
    const own = Object.entries(env).map(([key, value]) => [key, placed(value)] as const);
    const options = { cwd: folder, env: { ...deps.env, ...Object.fromEntries(own) } };
    // The demo is already built and running before the first page.
    if (tool === 'npm') return;
    if (tool === 'node') {
      expect(here, line).toEqual([name]);
      return runProgram();
    }
    if (tool === 'curl') {
      const { status } = await fetch(here.at(-1)!);
      return expect(status, line).toBe(here.includes('-i') ? 402 : 200);
    }
    if (tool === 'npx') {
      expect(here.shift(), line).toBe('assay');
      if (here[0] === 'start' && here.includes('.assay/demo.yaml')) {
        return deps.whileStopped(async () => {});
      }
      if (here[0] === 'start') stops.push(await deps.startServer(here, options.env));
      else if (here.includes('--watch')) await watchUntilPrinted(here, options);
      else {
        const { stdout } = await run(process.execPath, [ASSAY, ...here], options);
        expect(stdout, line).not.toBe('');
      }
      return;
    }
    expect(tool, line).toBe('echo');
    await run('sh', ['-c', line], options);
  }

  /** Commands that watch run until they are interrupted. */
  async function watchUntilPrinted(args: readonly string[], options: object): Promise<void> {
    const child = spawn(process.execPath, [ASSAY, ...args], options);
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect((await exit)[0], args.join(' ')).toBe(0);
  }

  function placed(word: string): string {
    return Object.entries(deps.places).reduce(
      (text, [documented, real]) => text.replace(documented, real),
      word,
    );
  }
}
