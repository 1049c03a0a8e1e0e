import { micros } from './commits.ts';

const SHARES = /"shares":"(\d+)"/g;

/** Latencies in milliseconds of events in pieces of text, by the time that each event has as its shares. */
export class Latencies {
  #values: number[] = [];
  #from = 0;

  /** Returns the rest of the text that belongs to the next piece. */
  add(text: string): string {
    const now = micros();
    let end = 0;
    for (const { 1: started, 0: found, index } of text.matchAll(SHARES)) {
      end = index + found.length;
      if (Number(started) >= this.#from) this.#values.push((now - Number(started)) / 1_000);
    }
    // A number that is cut in two is matched with the next piece.
    return text.slice(Math.max(end, text.length - 64));
  }

  /** From now on only events that are committed later count. */
  restart(): void {
    this.#values = [];
    this.#from = micros();
  }

  get values(): readonly number[] {
    return this.#values;
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
