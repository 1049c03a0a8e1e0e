import { randomBytes } from 'node:crypto';
import type { Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import { secrets } from '../../store/secrets/secrets.ts';
import type { Store } from '../../store/store.ts';
import { seal, unseal } from '../seal.ts';

/** Where the next page begins. */
export interface Cursor {
  /** The last item that was given. */
  readonly place: LogPlace;
  /** What `period` meant on the first page: only rows later than this; −1 without a period. */
  readonly after: number;
}

const KEY_BYTES = 32;
/** Changes with the meaning of the fields, so that an older cursor is refused and not misread. */
const VERSION = 'history 2';

/** The key that seals cursors, in hex: made once in the store, the same for all its processes. */
export function loadCursorKey(store: Store): Promise<Hex> {
  return secrets.ensure(store, 'cursor', newCursorKey());
}

export function newCursorKey(): Hex {
  return `0x${randomBytes(KEY_BYTES).toString('hex')}`;
}

/** An opaque text for a place, good only with these filters. */
export function sealCursor(key: Hex, filters: string, { place, after }: Cursor): string {
  const { blockTime, chainId, blockNumber, logIndex } = place;
  return seal(
    key,
    purposeOf(filters),
    `${blockTime},${chainId},${blockNumber},${logIndex},${after}`,
  );
}

/** What was sealed with these filters; undefined for anything else. */
export function openCursor(key: Hex, filters: string, sealed: string): Cursor | undefined {
  const fields = unseal(key, purposeOf(filters), sealed);
  if (fields === undefined) return undefined;
  const [blockTime, chainId, blockNumber, logIndex, after] = fields
    .split(',')
    .map(Number) as Fields;
  return { place: { blockTime, chainId, blockNumber, logIndex }, after };
}

type Fields = [number, number, number, number, number];

/** The length keeps filters and text apart. */
function purposeOf(filters: string): string {
  return `${VERSION} ${filters.length} ${filters}`;
}
