import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { secrets } from '../../store/secrets/secrets.ts';
import type { Store } from '../../store/store.ts';

/** Where the next page begins. */
export interface Cursor {
  /** The last item that was given. */
  readonly place: LogPlace;
  /** What `period` meant on the first page: only rows later than this; −1 without a period. */
  readonly after: number;
}

/** More than 128 bits: enough that nobody guesses one. */
const SEAL_LENGTH = 22;
const KEY_BYTES = 32;
/** Changes with the meaning of the fields, so that an older cursor is refused and not misread. */
const VERSION = 'history 2';

/** The key that seals cursors, in hex: made once in the store, the same for all its processes. */
export function loadCursorKey(store: Store): Promise<Hex> {
  const fresh: Hex = `0x${randomBytes(KEY_BYTES).toString('hex')}`;
  return secrets.ensure(store, 'cursor', fresh);
}

/** An opaque text for a place, good only with these filters. */
export function sealCursor(key: Hex, filters: string, { place, after }: Cursor): string {
  const { blockTime, chainId, blockNumber, logIndex } = place;
  const fields = `${blockTime},${chainId},${blockNumber},${logIndex},${after}`;
  const text = Buffer.from(fields, 'latin1').toString('base64url');
  return sealOf(key, filters, text) + text;
}

/** What was sealed with these filters; undefined for anything else. */
export function openCursor(key: Hex, filters: string, sealed: string): Cursor | undefined {
  const text = sealed.slice(SEAL_LENGTH);
  const given = Buffer.from(sealed.slice(0, SEAL_LENGTH));
  const right = Buffer.from(sealOf(key, filters, text));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const numbers = Buffer.from(text, 'base64url').toString('latin1').split(',').map(Number);
  const [blockTime, chainId, blockNumber, logIndex, after] = numbers as Fields;
  return { place: { blockTime, chainId, blockNumber, logIndex }, after };
}

type Fields = [number, number, number, number, number];

/**
 * A hash over the key and the text, of which half is shown: to continue it, as SHA-256 lets who knows all of one, the
 * other half would have to be guessed. The length keeps filters and text apart.
 */
function sealOf(key: Hex, filters: string, text: string): string {
  const sealed = `${key} ${VERSION} ${filters.length} ${filters} ${text}`;
  return hash('sha256', sealed, 'base64url').slice(0, SEAL_LENGTH);
}
