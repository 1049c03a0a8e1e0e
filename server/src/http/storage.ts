import { Type } from 'typebox';
import { Nullable, OneOf, Shape } from './schemas.ts';

/** The free space on the disk of the embedded database. */
export interface StorageRoom {
  readonly minBytes: number;
  /** Null if it cannot be read. */
  bytes(): number | null;
  isLow(): boolean;
}

export function presentStorage(room: StorageRoom | undefined) {
  if (room === undefined) return null;
  return {
    state: room.isLow() ? 'low' : 'ok',
    freeBytes: room.bytes(),
    minFreeBytes: room.minBytes,
  };
}

const bytes = (description: string) =>
  Type.Integer({ minimum: 0, description, examples: [268_435_456] });

export const storageSchema = Nullable(
  Shape(
    {
      state: OneOf(
        ['ok', 'low'],
        'low: too little space is left, so nothing is indexed and paid routes return 503 until there is more; indexed data is still served.',
      ),
      freeBytes: Nullable(bytes('Free bytes.'), 'Free bytes; null if they cannot be read.'),
      minFreeBytes: bytes('Below this number of free bytes, writing stops (`store.minFreeBytes`).'),
    },
    'The disk of the embedded database.',
  ),
  'The disk of the embedded database; null with PostgreSQL.',
);

export const storageExample = { state: 'ok', freeBytes: 8_589_934_592, minFreeBytes: 268_435_456 };
