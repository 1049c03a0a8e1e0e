import { type Running, runInPlace } from './running.ts';
import { startThread } from './thread.ts';
import { WORKS, type Works } from './works.ts';

/** Below, the event loop is held up for some 30 ms at most, and starting a thread costs more than the work itself. */
const SMALL_GRAPH = 500;

/** For a graph of about so many nodes: where its readers notice it least. */
export function startWork<Name extends keyof Works>(
  name: Name,
  nodes: number,
): Running<Works[Name]> {
  return nodes < SMALL_GRAPH ? runInPlace(WORKS[name]()) : startThread(name);
}
