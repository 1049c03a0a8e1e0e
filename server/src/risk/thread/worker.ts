// Entry of the thread: runs one work call by call. An error ends the thread, which thread.ts reports.
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

/** Finds buffers to transfer instead of copy, because the thread no longer needs them. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}
