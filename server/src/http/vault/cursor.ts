import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
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

/** 128 bits of the HMAC: enough that nobody guesses one. */
const MAC_BYTES = 16;
const KEY_BYTES = 32;
/** Changes with the meaning of the fields, so that an older cursor is refused and not misread. */
const VERSION = 'history 1';

/** The key that signs cursors: made once in the store, the same for all its processes. */
export async function loadCursorKey(store: Store): Promise<Uint8Array> {
  const fresh = `0x${randomBytes(KEY_BYTES).toString('hex')}` as const;
  const key = await secrets.ensure(store, 'cursor', fresh);
  return Buffer.from(key.slice(2), 'hex');
}

/** An opaque text for a place, good only with these filters. */
export function sealCursor(key: Uint8Array, filters: string, { place, after }: Cursor): string {
  const { blockTime, chainId, blockNumber, logIndex } = place;
  const fields = Buffer.from([blockTime, chainId, blockNumber, logIndex, after].join(','));
  return Buffer.concat([macOf(key, filters, fields), fields]).toString('base64url');
}

/** What was sealed with these filters; undefined for anything else. */
export function openCursor(key: Uint8Array, filters: string, text: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Decoding is lenient: two texts may give the same bytes, and only one of them is ours.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return undefined;
  const fields = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(key, filters, fields))) return undefined;
  const numbers = fields.toString().split(',').map(Number) as Fields;
  const [blockTime, chainId, blockNumber, logIndex, after] = numbers;
  return { place: { blockTime, chainId, blockNumber, logIndex }, after };
}

type Fields = [number, number, number, number, number];

function macOf(key: Uint8Array, filters: string, fields: Uint8Array): Buffer {
  // The length keeps filters and fields apart.
  const head = `${VERSION} ${Buffer.byteLength(filters)} ${filters} `;
  const mac = createHmac('sha256', key).update(head).update(fields).digest();
  return mac.subarray(0, MAC_BYTES);
}
