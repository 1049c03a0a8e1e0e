import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url));

/** The built server in its own process. */
export interface AssayProcess {
  /** The port of its API; rejects if the process ends first. */
  readonly port: Promise<number>;
  /** Rejects if the process ends by itself, with its last output. */
  readonly failed: Promise<never>;
  /** Kills the process with `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
}

export function startAssay(
  command: 'start' | 'index',
  configFile: string,
  env: Readonly<Record<string, string>> = {},
): AssayProcess {
  const child = spawn(process.execPath, [PROGRAM, command, '--config', configFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  let said = '';
  let killed = false;
  let foundPort: (port: number) => void = () => {};
  const port = new Promise<number>((resolve) => {
    foundPort = resolve;
  });
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  function hear(chunk: Buffer): void {
    said = (said + chunk).slice(-20_000);
    const found = /"port":(\d+)/.exec(said);
    if (found) foundPort(Number(found[1]));
  }
  const ended = onceClosed(child);
  const failed = ended.then((code) => {
    if (killed) return new Promise<never>(() => {});
    throw new Error(`assay ${command} ended with code ${code}: ${said.slice(-2_000)}`);
  });
  // A rejection matters only while a test waits for the process.
  failed.catch(() => {});
  return {
    port: Promise.race([port, failed]),
    failed,
    async kill() {
      killed = true;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function onceClosed(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code)));
}
