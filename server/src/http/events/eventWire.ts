import type { EventPosition, FeedEvent } from '../../domain/events/event.ts';
import type { Hex } from '../../domain/hex.ts';
import { openPosition, sealPosition } from './eventCursor.ts';
import { presentEvent } from './eventSchema.ts';

/** Events and positions as clients see them. */
export function eventWire(cursorKey: Hex) {
  return {
    cursorOf: (position: EventPosition) => sealPosition(cursorKey, position),
    /** Undefined for a text that is not a cursor of this server. */
    positionOf: (cursor: string) => openPosition(cursorKey, cursor),
    present: (event: FeedEvent, cursor: string): object => presentEvent(event, cursor),
  };
}
