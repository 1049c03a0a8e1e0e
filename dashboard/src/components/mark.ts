/** What a drawn mark of a token or a chain looks like. The same name has the same mark on every page. */
export interface Look {
  /** Degrees on the color wheel. */
  readonly hue: number;
  /** Which cells of the left half are filled; the right half mirrors them. */
  readonly cells: readonly boolean[];
}

const CELLS = 6;
/** Neighboring numbers are far apart on the wheel. */
const GOLDEN_ANGLE = 137.508;

export function lookOf(name: string): Look {
  const hash = hashOf(name);
  const cells = Array.from({ length: CELLS }, (_, i) => ((hash >>> (i + 16)) & 1) === 1);
  // An empty or a full mark would be no mark.
  if (new Set(cells).size === 1) cells[1] = !cells[1];
  return { hue: Math.round((hash % 1024) * GOLDEN_ANGLE) % 360, cells };
}

/** The first two letters or digits of a symbol. */
export function lettersOf(symbol: string): string {
  const letters = symbol.match(/[\p{L}\p{N}]/gu) ?? ['?'];
  return letters.slice(0, 2).join('').toUpperCase();
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const one of text) hash = Math.imul(hash ^ one.codePointAt(0)!, 0x01000193);
  // The last characters would not reach the low bits otherwise.
  hash ^= hash >>> 15;
  return hash >>> 0;
}
