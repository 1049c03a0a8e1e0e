/** Counts and values of a growing list: sums over its first entries, in O(log n) steps each (a Fenwick tree). */
export class PrefixSums {
  readonly #counts: number[] = [0];
  readonly #values: bigint[] = [0n];

  get length(): number {
    return this.#counts.length - 1;
  }

  /** Appends an entry and returns its index. */
  push(count: number, value: bigint): number {
    const at = this.length + 1;
    // Each node has the sum of the entries after `at - lowBit(at)`.
    for (let child = at - 1; child > at - lowBit(at); child -= lowBit(child)) {
      count += this.#counts[child]!;
      value += this.#values[child]!;
    }
    this.#counts.push(count);
    this.#values.push(value);
    return at - 1;
  }

  /** Adds to the entry at `index`. */
  add(index: number, count: number, value: bigint): void {
    for (let at = index + 1; at <= this.length; at += lowBit(at)) {
      this.#counts[at]! += count;
      this.#values[at]! += value;
    }
  }

  /** The sum of the entries before `index`. */
  before(index: number): { readonly count: number; readonly value: bigint } {
    let count = 0;
    let value = 0n;
    for (let at = index; at > 0; at -= lowBit(at)) {
      count += this.#counts[at]!;
      value += this.#values[at]!;
    }
    return { count, value };
  }
}

function lowBit(at: number): number {
  return at & -at;
}
