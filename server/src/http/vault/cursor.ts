import { randomBytes } from 'node:crypto';
import type { Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { secrets } from '../../store/secrets/secrets.ts';
import type { Store } from '../../store/store.ts';
import { seal, unseal } from '../seal.ts';

/** Where the next page starts. */
export interface Cursor {
  /** The last item of the page. */
  readonly place: LogPlace;
  /** The start of `period` on the first page: only later rows; −1 without a period. */
  readonly after: number;
}

const KEY_BYTES = 32;
/** Changes with the meaning of the fields, so that an older cursor is rejected instead of misread. */
const VERSION = 'history 2';

/** The key that seals cursors, in hex: created once in the store, the same for all its processes. */
export function loadCursorKey(store: Store): Promise<Hex> {
  return secrets.ensure(store, 'cursor', newCursorKey());
}

export function newCursorKey(): Hex {
  return `0x${randomBytes(KEY_BYTES).toString('hex')}`;
}

/** Creates an opaque text for a position, valid only with these filters. */
export function sealCursor(key: Hex, filters: string, { place, after }: Cursor): string {
  const { blockTime, chainId, blockNumber, logIndex } = place;
  return seal(
    key,
    purposeOf(filters),
    `${blockTime},${chainId},${blockNumber},${logIndex},${after}`,
  );
}

/** Returns what was sealed with these filters; undefined for anything else. */
export function openCursor(key: Hex, filters: string, sealed: string): Cursor | undefined {
  const fields = unseal(key, purposeOf(filters), sealed);
  if (fields === undefined) return undefined;
  const [blockTime, chainId, blockNumber, logIndex, after] = fields
    .split(',')
    .map(Number) as Fields;
  return { place: { blockTime, chainId, blockNumber, logIndex }, after };
}

type Fields = [number, number, number, number, number];

/** The length separates filters and text. */
function purposeOf(filters: string): string {
  return `${VERSION} ${filters.length} ${filters}`;
}
