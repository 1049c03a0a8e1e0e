import { type Running, runInPlace } from './running.ts';
import { startThread } from './thread.ts';
import { WORKS, type Works } from './works.ts';

/** Smaller graphs block the event loop for at most about 30 ms, less than it takes to start a thread. */
const SMALL_GRAPH = 500;

/** Starts work on a graph of about this many nodes, in a thread if the graph is large. */
export function startWork<Name extends keyof Works>(
  name: Name,
  nodes: number,
): Running<Works[Name]> {
  return nodes < SMALL_GRAPH ? runInPlace(WORKS[name]()) : startThread(name);
}
