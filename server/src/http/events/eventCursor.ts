import { EVENTS_START, type EventPosition } from '../../domain/events/event.ts';
import type { Hex } from '../../domain/hex.ts';
import { seal, unseal } from '../seal.ts';

/** Changes with the meaning of the fields, so that an older cursor is rejected. */
const PURPOSE = 'events 1';

/** Returns an opaque text for a position. It is valid with any filter. */
export function sealPosition(key: Hex, position: EventPosition): string {
  const { batch, tag, blockNumber, logIndex, rank } = position;
  return seal(key, PURPOSE, `${batch},${tag},${blockNumber},${logIndex},${rank}`);
}

/** Returns undefined for a text that this server has not sealed. */
export function openPosition(key: Hex, sealed: string): EventPosition | undefined {
  const fields = unseal(key, PURPOSE, sealed);
  if (fields === undefined) return undefined;
  const [batch, tag, blockNumber, logIndex, rank] = fields.split(',').map(Number) as Fields;
  return { ...EVENTS_START, batch, tag, blockNumber, logIndex, rank };
}

type Fields = [number, number, number, number, number];
