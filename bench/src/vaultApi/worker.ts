import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A script in a separate process, which handles one message at a time. */
export interface Worker {
  readonly pid: number;
  ask<Answer>(message: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

export class WorkerEnded extends Error {
  constructor(file: string) {
    super(`${file} ended before it responded. Its error is printed above.`);
    this.name = 'WorkerEnded';
  }
}

export function startWorker(file: string, args: readonly string[] = []): Worker {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);
  return {
    pid: child.pid!,
    ask: (message) => ask(child, file, message),
    async stop() {
      process.off('exit', killOnExit);
      await ended(child, 'SIGKILL');
    },
  };
}

/** In the worker: responds to each message of the parent. */
export function answerMessages<Message>(answer: (message: Message) => unknown): void {
  process.on('message', async (message) => {
    process.send!((await answer(message as Message)) ?? {});
  });
  process.once('disconnect', () => process.exit());
}

/** Ends a child process and waits for it. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

function ask<Answer>(child: ChildProcess, file: string, message: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new WorkerEnded(file));
    child.once('exit', fail);
    child.once('message', (answer) => {
      child.off('exit', fail);
      resolve(answer as Answer);
    });
    child.send(message as object);
  });
}
