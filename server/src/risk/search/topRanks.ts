/** The smallest of the offered ranks: the best hits, because ranks follow the value. */
export class TopRanks {
  readonly ranks: number[] = [];
  /** From this rank on, no rank is a hit, so reading an ascending list can stop. */
  end = Number.POSITIVE_INFINITY;
  readonly #limit: number;
  readonly #without: readonly number[];

  /** `without`: hits already found. */
  constructor(limit: number, without: readonly number[]) {
    this.#limit = limit;
    this.#without = without;
  }

  offer(rank: number): void {
    if (rank >= this.end) return;
    let place = this.ranks.length;
    while (place > 0 && this.ranks[place - 1]! > rank) place--;
    if (this.ranks[place - 1] === rank || this.#without.includes(rank)) return;
    this.ranks.splice(place, 0, rank);
    if (this.ranks.length > this.#limit) this.ranks.pop();
    if (this.ranks.length === this.#limit) this.end = this.ranks.at(-1)!;
  }
}
