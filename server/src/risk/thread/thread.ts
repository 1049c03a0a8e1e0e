import { Worker } from 'node:worker_threads';
import type { Running } from './running.ts';
import type { Works } from './works.ts';

// Always the compiled file, because Node does not transpile the file of a worker.
const WORKER = new URL('../../../dist/bundled/riskWorker.js', import.meta.url);

/** The thread ended before its work was complete: out of memory, or an error. */
export class RiskThreadEnded extends Error {
  override readonly name = 'RiskThreadEnded';

  constructor(reason: string) {
    super(
      `the thread that computes over the risk graph ended early (${reason}); what was there before stays. If this comes again, give the process more memory`,
    );
  }
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Runs work in its own thread. The end of the thread releases its memory. */
export function startThread<Name extends keyof Works>(name: Name): Running<Works[Name]> {
  const worker = new Worker(WORKER, { workerData: name });
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let ended: RiskThreadEnded | undefined;
  let reason = 'it was stopped';

  worker.on('message', ({ id, result }: { id: number; result: unknown }) => {
    waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  // 'exit' follows.
  worker.on('error', (error: NodeJS.ErrnoException) => {
    reason = error.code ?? error.name;
  });
  worker.once('exit', () => {
    ended = new RiskThreadEnded(reason);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  });

  return {
    call(method, ...args) {
      if (ended !== undefined) return Promise.reject(ended);
      return new Promise((resolve, reject) => {
        const id = nextId++;
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
        worker.postMessage({ id, method, args });
      });
    },
    async close() {
      await worker.terminate();
    },
  };
}
