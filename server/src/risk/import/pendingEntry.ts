import type { JsonItem, Place } from './jsonItems.ts';

/** The entry of a list that is being read: its place, and the bytes of its key or its value. */
export interface PendingEntry {
  /** Undefined until it is read, and in an array. */
  key: string | undefined;
  /** Starts a new entry. */
  startEntry(at: number): void;
  /** Starts its key or its value, of which up to `maxBytes` are kept. */
  startBytes(maxBytes: number): void;
  add(part: Uint8Array): void;
  /** Undefined if the bytes are too long, not UTF-8, or not JSON. */
  parse(): unknown;
  /** Returns the entry with its place, or why it cannot be read, and counts it. */
  takeItem(): JsonItem;
  /** Returns the last bytes, without the first one of all, and forgets them. */
  takeTail(length: number): Uint8Array;
  /** Returns only its place, and counts it. */
  takePlace(): Place;
  /** Index of the next entry. */
  index(): number;
  /** The entries are those of another list. */
  restart(): void;
}

export function createPendingEntry(): PendingEntry {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let index = 0;
  let startedAt = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  let max = 0;
  const entry: PendingEntry = {
    key: undefined,
    startEntry(at) {
      startedAt = at;
      entry.key = undefined;
    },
    startBytes(maxBytes) {
      parts = [];
      length = 0;
      max = maxBytes;
    },
    add(part) {
      length += part.length;
      if (length > max) parts = [];
      else parts.push(part);
    },
    parse() {
      if (length > max) return undefined;
      const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      try {
        return JSON.parse(decoder.decode(bytes));
      } catch {
        return undefined;
      }
    },
    takeItem() {
      const value = entry.parse();
      const place = entry.takePlace();
      if (value !== undefined) return { kind: 'item', place, value };
      const isTooLong = length > max;
      const what = isTooLong ? `it is over ${max} bytes` : 'it is not valid JSON, or not UTF-8';
      return { kind: 'fault', place, what };
    },
    takeTail(wanted) {
      const tail = Buffer.concat(parts).subarray(1).subarray(-wanted);
      parts = [];
      return tail;
    },
    takePlace() {
      const { key } = entry;
      const place = { index, at: startedAt, ...(key !== undefined && { key }) };
      index++;
      entry.key = undefined;
      return place;
    },
    index: () => index,
    restart() {
      index = 0;
      entry.key = undefined;
    },
  };
  return entry;
}
