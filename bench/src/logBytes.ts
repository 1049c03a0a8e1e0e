/** Logs as the bytes of a JSON array, each with a comma after it: a response of many costs almost nothing. */
export interface LogBytes {
  readonly length: number;
  add(kind: number, text: string): void;
  /** Adds the last bytes. Call it after the last log. */
  close(): void;
  kindOf(log: number): number;
  /** Returns one log as JSON. */
  text(log: number): string;
  /** Returns the logs from `log` to before `stop` that fit, as pieces of the content of a JSON array. */
  pieces(log: number, stop: number, fits: (log: number) => boolean): Buffer[];
}

const CHUNK_LOGS = 4096;

export function createLogBytes(count: number): LogBytes {
  const kinds = new Uint8Array(count);
  /** Offset of each log within its chunk. */
  const starts = new Uint32Array(count);
  const chunks: Buffer[] = [];
  let texts: string[] = [];
  let offset = 0;
  let made = 0;

  return {
    get length() {
      return made;
    },
    add(kind, text) {
      if (made > 0 && made % CHUNK_LOGS === 0) close();
      kinds[made] = kind;
      starts[made] = offset;
      texts.push(text);
      offset += text.length;
      made += 1;
    },
    close,
    kindOf: (log) => kinds[log]!,
    text: (log) => chunkOf(log).toString('latin1', starts[log]!, end(log) - 1),
    pieces,
  };

  function close(): void {
    chunks.push(Buffer.from(texts.join(''), 'latin1'));
    texts = [];
    offset = 0;
  }

  function chunkOf(log: number): Buffer {
    return chunks[Math.floor(log / CHUNK_LOGS)]!;
  }

  function end(log: number): number {
    const next = log + 1;
    if (next === count || next % CHUNK_LOGS === 0) return chunkOf(log).length;
    return starts[next]!;
  }

  function pieces(from: number, stop: number, fits: (log: number) => boolean): Buffer[] {
    const found: Buffer[] = [];
    let log = from;
    while (log < stop) {
      if (!fits(log)) {
        log += 1;
        continue;
      }
      const first = log;
      const chunk = chunkOf(first);
      while (log < stop && chunkOf(log) === chunk && fits(log)) log += 1;
      found.push(chunk.subarray(starts[first]!, end(log - 1)));
    }
    // Each log ends with a comma, except the last one of an array.
    const last = found.pop();
    if (last !== undefined) found.push(last.subarray(0, -1));
    return found;
  }
}
