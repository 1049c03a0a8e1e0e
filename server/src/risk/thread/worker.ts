// What runs in the thread: one work, told call by call. An error ends the thread, which thread.ts tells of.
import { parentPort, workerData } from 'node:worker_threads';
import { WORKS, type Works } from './works.ts';

type Method = (...args: unknown[]) => unknown;

const port = parentPort!;
const create = WORKS[workerData as keyof Works];
const work = create() as unknown as Readonly<Record<string, Method>>;

port.on('message', ({ id, method, args }: { id: number; method: string; args: unknown[] }) => {
  const result = work[method]!(...args);
  port.postMessage({ id, result }, [...buffersIn(result)]);
});

/** Moved instead of copied: the thread needs them no more. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}
