let block = new Uint16Array(512);

/**
 * The UTF-16 units of a text, valid until the next call. Reading units from a typed array is faster than from a string.
 */
export function unitsOf(text: string): Uint16Array {
  if (text.length > block.length) block = new Uint16Array(text.length * 2);
  const units = block;
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
  return units;
}

/** FNV-1a, with a final mix so that every bit depends on all units. Signed, because V8 would box larger numbers. */
export function hashUnits(units: Uint16Array, start: number, end: number): number {
  let hash = 0x811c_9dc5 | 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ units[i]!, 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb_352d);
  return hash ^ (hash >>> 15);
}

export function hashText(text: string): number {
  return hashUnits(unitsOf(text), 0, text.length);
}
