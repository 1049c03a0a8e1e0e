import { isAssayError } from '@assay/client';
import { createStore } from './store.ts';

/** When the server last answered nothing, in ms; undefined while it answers. */
export const silentSince = createStore<number | undefined>(undefined);

export function heard(): void {
  silentSince.set(undefined);
}

export function unheard(error: unknown): void {
  if (isSilence(error) && silentSince.get() === undefined) silentSince.set(Date.now());
}

/** Nobody answered, or a proxy for somebody who did not. */
export function isSilence(error: unknown): boolean {
  if (isAssayError(error, 'problem')) return error.status >= 502;
  return isAssayError(error) && ['network', 'timeout', 'malformed'].includes(error.type);
}
