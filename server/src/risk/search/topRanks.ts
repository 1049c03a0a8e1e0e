/** The smallest ranks of those that are offered: the best hits, as ranks follow the value. */
export class TopRanks {
  readonly ranks: number[] = [];
  /** From here on a rank is of no use, so that whoever reads a rising list can stop. */
  end = Number.POSITIVE_INFINITY;
  readonly #limit: number;
  readonly #without: readonly number[];

  /** `without`: what is found already. */
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
