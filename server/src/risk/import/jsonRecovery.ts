/** Finds the start of the next entry after a broken one. */
export interface Recovery {
  /** Remembers how a valid entry starts. */
  learn(entry: unknown): void;
  /** Starts a search with the last bytes before it; `at` is the offset of the first of them. */
  begin(lastBytes: Uint8Array, at: number): void;
  /** Returns the bytes from the next entry on, or undefined if more bytes are needed. */
  search(bytes: Uint8Array, inObject: boolean): { bytes: Uint8Array; at: number } | undefined;
}

/** Longer than the start of any entry. */
const OVERLAP = 2048;
/** Entries of one list start alike. In a list with more different starts, a start identifies nothing. */
const MAX_BEGINNINGS = 24;
const NAME = '"(?:[^"\\\\]|\\\\.){1,200}"';

/**
 * Inside a broken entry, text cannot be distinguished from structure. The next entry starts with a key that other
 * entries started with, which a nested object rarely does.
 */
export function createRecovery(): Recovery {
  const beginnings = new Set<string>();
  let window = '';
  let windowAt = 0;

  return { learn, begin, search };

  function learn(entry: unknown): void {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return;
    for (const key in entry) {
      if (beginnings.size < MAX_BEGINNINGS) beginnings.add(key);
      return;
    }
  }

  function begin(lastBytes: Uint8Array, at: number): void {
    window = latin1(lastBytes);
    windowAt = at;
  }

  function search(bytes: Uint8Array, inObject: boolean) {
    window += latin1(bytes);
    const found = pattern(inObject).exec(window);
    if (found === null) {
      const kept = window.slice(-OVERLAP);
      windowAt += window.length - kept.length;
      window = kept;
      return undefined;
    }
    const start = found.index + found[1]!.length;
    const rest = Buffer.from(window.slice(start), 'latin1');
    window = '';
    return { bytes: rest, at: windowAt + start };
  }

  function pattern(inObject: boolean): RegExp {
    const name = inObject ? `${NAME}\\s*:\\s*` : '';
    if (beginnings.size === 0) return new RegExp(`(\\}\\s*,\\s*)${name}\\{`);
    const keys = [...beginnings].map(quoted).join('|');
    return new RegExp(`(,\\s*)${name}\\{\\s*"(?:${keys})"\\s*:`);
  }
}

/** One character per byte, so that offsets in the text are offsets in the document. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function quoted(key: string): string {
  return latin1(Buffer.from(JSON.stringify(key).slice(1, -1))).replace(
    /[\\^$.*+?()[\]{}|/-]/g,
    '\\$&',
  );
}
