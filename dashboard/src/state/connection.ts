import { isAssayError } from '@assay/client';
import { createStore } from './store.ts';

/** When the server stopped responding, in ms; undefined while it responds. */
export const silentSince = createStore<number | undefined>(undefined);

export function markOnline(): void {
  silentSince.set(undefined);
}

export function markOffline(error: unknown): void {
  if (isSilence(error) && silentSince.get() === undefined) silentSince.set(Date.now());
}

/** The dashboard's own files could not be read. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor() {
    super("Can't reach the server.");
  }
}

/** Returns whether the server, or a proxy in front of it, could not be reached. */
export function isSilence(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (isAssayError(error, 'problem')) return error.status >= 502;
  return isAssayError(error) && ['network', 'timeout', 'malformed'].includes(error.type);
}
