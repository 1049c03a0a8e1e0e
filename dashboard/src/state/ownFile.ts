import { Unreachable } from './connection.ts';

/** Reads what the server has for the dashboard alone, outside of its API. */
export async function readOwnFile<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal }).catch(() => {
    signal.throwIfAborted();
    throw new Unreachable();
  });
  if (response.status >= 502) throw new Unreachable();
  if (!response.ok) throw new Error(`The server returned HTTP ${response.status}.`);
  return (await response.json()) as T;
}
