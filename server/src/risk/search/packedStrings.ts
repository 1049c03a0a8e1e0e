import { unitsOf } from './units.ts';

/** Strings as one block of UTF-8: a few bytes per string instead of an object. */
export interface PackedStrings {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Start of each string, followed by the end of the last. */
  readonly starts: Uint32Array<ArrayBuffer>;
}

export interface StringPacker {
  /** The bytes so far, followed by free space. */
  readonly strings: PackedStrings;
  /** Returns the number of the added string: 0, 1, 2 … `units`: its units, if available. */
  add(text: string, units?: Uint16Array): number;
  finish(): PackedStrings;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** `expected`: estimated count and bytes per string. */
export function createStringPacker(expected = 0, bytesEach = 32): StringPacker {
  const capacity = Math.max(1024, expected);
  const strings = {
    bytes: new Uint8Array(capacity * bytesEach),
    starts: new Uint32Array(capacity + 1),
  };
  let count = 0;
  return {
    strings,
    add(text, units = unitsOf(text)) {
      const used = strings.starts[count]!;
      // A UTF-16 unit becomes at most three bytes.
      if (used + text.length * 3 > strings.bytes.length) {
        const larger = new Uint8Array((used + text.length * 3) * 2);
        larger.set(strings.bytes);
        strings.bytes = larger;
      }
      if (count + 1 === strings.starts.length) {
        const longer = new Uint32Array(count * 2);
        longer.set(strings.starts);
        strings.starts = longer;
      }
      strings.starts[count + 1] = write(text, units, strings.bytes, used);
      return count++;
    },
    finish: () => ({
      bytes: strings.bytes.slice(0, strings.starts[count]!),
      starts: strings.starts.slice(0, count + 1),
    }),
  };
}

/** Most strings are short and ASCII, so calling the encoder would cost more than encoding here. */
function write(text: string, units: Uint16Array, bytes: Uint8Array, start: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = units[i]!;
    if (unit > 0x7f) return start + encoder.encodeInto(text, bytes.subarray(start)).written;
    bytes[start + i] = unit;
  }
  return start + text.length;
}

export function packStrings(texts: Iterable<string>): PackedStrings {
  const packer = createStringPacker();
  for (const text of texts) packer.add(text);
  return packer.finish();
}

export function stringAt(strings: PackedStrings, index: number): string {
  return decoder.decode(strings.bytes.subarray(strings.starts[index]!, strings.starts[index + 1]!));
}

/**
 * Whether the string at `index` equals `text`; creates no string if both are ASCII. Compares from the end, because ids
 * often share a prefix.
 */
export function isStringAt(
  strings: PackedStrings,
  index: number,
  text: string,
  units: Uint16Array,
): boolean {
  const end = strings.starts[index + 1]!;
  const length = end - strings.starts[index]!;
  if (length < text.length) return false;
  for (let i = 1; i <= text.length; i++) {
    const byte = strings.bytes[end - i]!;
    const unit = units[text.length - i]!;
    if (unit > 0x7f || byte > 0x7f) return stringAt(strings, index) === text;
    if (byte !== unit) return false;
  }
  return length === text.length;
}

/** In byte order. */
export function comparePacked({ bytes, starts }: PackedStrings, a: number, b: number): number {
  const start = starts[a]!;
  const other = starts[b]!;
  const length = starts[a + 1]! - start;
  const otherLength = starts[b + 1]! - other;
  for (let i = 0; i < length && i < otherLength; i++) {
    const difference = bytes[start + i]! - bytes[other + i]!;
    if (difference !== 0) return difference;
  }
  return length - otherLength;
}

/** Copies the strings at these indexes, in this order. */
export function permutePacked(
  { bytes, starts }: PackedStrings,
  places: Uint32Array,
): PackedStrings {
  const count = places.length;
  const own = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++)
    own[i + 1] = own[i]! + starts[places[i]! + 1]! - starts[places[i]!]!;
  const copied = new Uint8Array(own[count]!);
  for (let i = 0; i < count; i++) {
    const start = starts[places[i]!]!;
    const length = own[i + 1]! - own[i]!;
    for (let at = 0; at < length; at++) copied[own[i]! + at] = bytes[start + at]!;
  }
  return { bytes: copied, starts: own };
}

export function stringCount(strings: PackedStrings): number {
  return strings.starts.length - 1;
}
