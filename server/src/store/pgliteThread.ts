import { Worker } from 'node:worker_threads';
import type { DatabaseFault } from './statementFailed.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

// The source file even when this runs from dist/: it is plain JavaScript and is not compiled.
const WORKER = new URL('../../src/store/pgliteWorker.mjs', import.meta.url);

export interface Answer {
  readonly fields: readonly { readonly name: string; readonly oid: number }[];
  /** Row after row. */
  readonly values: readonly (string | null)[];
  readonly tag?: string;
  readonly error?: DatabaseFault;
}

export interface Request {
  readonly kind: 'run' | 'exec' | 'close';
  readonly name?: string;
  readonly text?: string;
  readonly params?: readonly (string | null)[];
}

/** PGlite in its own thread, where a long query does not block the event loop. */
export interface PgliteThread {
  send(request: Request): Promise<Answer>;
  onNotification(listener: (channel: string, payload: string) => void): void;
  /** Resolves when the thread has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Why requests fail, once it has ended. */
  crash(): StoreUnavailable;
  stop(): Promise<void>;
}

const DISK_FULL = '53100';

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

export async function startPgliteThread(folder: string): Promise<PgliteThread> {
  const worker = new Worker(WORKER, { workerData: { folder } });
  const waiting = new Map<number, Waiting>();
  const listeners: ((channel: string, payload: string) => void)[] = [];
  let nextId = 1;
  let alive = true;
  let crashCode = '';

  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      alive = false;
      for (const { reject } of waiting.values()) reject(crash());
      waiting.clear();
      resolve();
    });
  });
  // 'exit' follows; without a listener, the error would end the process.
  worker.on('error', () => undefined);

  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (message) => {
      if (message.ready) return resolve();
      if (message.crashed !== undefined) {
        crashCode = message.crashed;
        return;
      }
      if (message.channel !== undefined) {
        for (const listener of listeners) listener(message.channel, message.payload);
        return;
      }
      waiting.get(message.id)?.resolve(message);
      waiting.delete(message.id);
    });
    void ended.then(() => reject(new StoreUnavailable('unopenable')));
  });
  await ready;

  function crash(): StoreUnavailable {
    return new StoreUnavailable(crashCode === DISK_FULL ? 'crashed-full' : 'crashed');
  }

  function send(request: Request): Promise<Answer> {
    if (!alive) return Promise.reject(crash());
    return new Promise((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ ...request, id });
    });
  }

  async function stop(): Promise<void> {
    if (!alive) return;
    await send({ kind: 'close' });
    await ended;
  }

  return { send, onNotification: (listener) => listeners.push(listener), ended, crash, stop };
}
