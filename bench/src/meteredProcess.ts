import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { cpuMsOf } from './cpu.ts';

export interface Metered {
  readonly startedAt: number;
  /** Returns CPU and peak memory so far; null if the system does not report them (requires Linux). */
  usage(): Usage;
  /** Ends the process and waits for it. */
  stop(): Promise<void>;
}

export interface Usage {
  readonly cpuMs: number | null;
  readonly peakMb: number | null;
}

export class ChildFailed extends Error {
  readonly program: string;
  readonly lastLines: readonly string[];
  constructor(program: string, lastLines: readonly string[]) {
    super(`${program} ended before it was done. Its last lines:\n${lastLines.join('\n')}`);
    this.name = 'ChildFailed';
    this.program = program;
    this.lastLines = lastLines;
  }
}

export interface MeteredOptions {
  readonly name: string;
  /** Path of Node. Default: the one that runs this. */
  readonly node?: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Receives each line of output. */
  readonly onLine?: (line: string) => void;
  /** Called if the process exits unexpectedly. */
  readonly onFailure: (error: ChildFailed) => void;
}

/** Runs a script with Node and measures only that process. */
export function runMetered(options: MeteredOptions): Metered {
  const startedAt = Date.now();
  const child = spawn(options.node ?? process.execPath, options.args, {
    cwd: options.cwd,
    env: { ...inheritedEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lastLines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      options.onLine?.(line);
    });
  }
  let stopping = false;
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => {
      process.off('exit', killOnExit);
      if (!stopping) options.onFailure(new ChildFailed(options.name, lastLines));
      resolve();
    });
  });
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);

  return {
    startedAt,
    usage: () => readUsage(child),
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 5000);
      await exited;
      clearTimeout(hard);
    },
  };
}

function readUsage(child: ChildProcess): Usage {
  return { cpuMs: cpuMsOf(child.pid), peakMb: peakMbOf(child.pid) };
}

function peakMbOf(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
    return peak === undefined ? null : Number(peak) / 1024;
  } catch {
    return null;
  }
}

/** Returns the environment that a program needs, without database or port settings. */
function inheritedEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
