import { createGrowingNumbers } from './growingNumbers.ts';

/** Strings as one block of UTF-8: some bytes each, instead of an object each. */
export interface PackedStrings {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each begins, and at the end where the last one ends. */
  readonly starts: Uint32Array<ArrayBuffer>;
}

export interface StringPacker {
  /** The number of the added string: 0, 1, 2 … */
  add(text: string): number;
  finish(): PackedStrings;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function createStringPacker(): StringPacker {
  let bytes = new Uint8Array(1 << 16);
  let used = 0;
  const starts = createGrowingNumbers();
  starts.push(0);
  return {
    add(text) {
      // A UTF-16 unit takes at most three bytes.
      if (used + text.length * 3 > bytes.length) {
        const larger = new Uint8Array(Math.max(bytes.length * 2, used + text.length * 3));
        larger.set(bytes);
        bytes = larger;
      }
      used = write(text, bytes, used);
      starts.push(used);
      return starts.length - 2;
    },
    finish: () => ({ bytes: bytes.slice(0, used), starts: starts.finish() }),
  };
}

/** Nearly all are short and ASCII, and then the encoder's call costs more than its work. */
function write(text: string, bytes: Uint8Array, start: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
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

/** Whether the string at `index` is `text`; reads no more than it must, and makes no string where both are ASCII. */
export function isStringAt(strings: PackedStrings, index: number, text: string): boolean {
  const start = strings.starts[index]!;
  const length = strings.starts[index + 1]! - start;
  if (length < text.length) return false;
  for (let i = 0; i < text.length; i++) {
    const byte = strings.bytes[start + i]!;
    const unit = text.charCodeAt(i);
    if (unit > 0x7f || byte > 0x7f) return stringAt(strings, index) === text;
    if (byte !== unit) return false;
  }
  return length === text.length;
}

export function stringCount(strings: PackedStrings): number {
  return strings.starts.length - 1;
}
