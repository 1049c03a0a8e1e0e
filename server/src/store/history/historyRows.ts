import type { LogPlace } from '../../domain/order.ts';

/**
 * The rows of a page, one after the other, as they are answered: texts of digits and hex, with which nobody
 * calculates on the way. A page is read for each request, and objects of its rows would cost more than reading it:
 * so it stays the one text that the database gave, and a field is cut out when it is asked for.
 */
export class HistoryRows {
  readonly #text: string;
  #start = 0;
  /** Where each field of the row ends, in the order of the columns; the comma after it follows. */
  #blockTimeEnd = 0;
  #chainIdEnd = 0;
  #blockNumberEnd = 0;
  #logIndexEnd = 0;
  #familyIdEnd = 0;
  #typeEnd = 0;
  #walletEnd = 0;
  #assetsEnd = 0;
  #sharesEnd = 0;
  #txHashEnd = -1;

  /** Fields of all rows between commas: those of the getters below, in their order. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Goes on to the next row, the first at the start; false when there is none. */
  next(): boolean {
    const text = this.#text;
    if (!this.hasMore) return false;
    const start = this.#txHashEnd + 1;
    this.#start = start;
    this.#blockTimeEnd = text.indexOf(',', start);
    this.#chainIdEnd = text.indexOf(',', this.#blockTimeEnd + 1);
    this.#blockNumberEnd = text.indexOf(',', this.#chainIdEnd + 1);
    this.#logIndexEnd = text.indexOf(',', this.#blockNumberEnd + 1);
    this.#familyIdEnd = text.indexOf(',', this.#logIndexEnd + 1);
    this.#typeEnd = text.indexOf(',', this.#familyIdEnd + 1);
    this.#walletEnd = text.indexOf(',', this.#typeEnd + 1);
    this.#assetsEnd = text.indexOf(',', this.#walletEnd + 1);
    this.#sharesEnd = text.indexOf(',', this.#assetsEnd + 1);
    const end = text.indexOf(',', this.#sharesEnd + 1);
    this.#txHashEnd = end === -1 ? text.length : end;
    return true;
  }

  get blockTime(): string {
    return this.#text.slice(this.#start, this.#blockTimeEnd);
  }

  get chainId(): string {
    return this.#text.slice(this.#blockTimeEnd + 1, this.#chainIdEnd);
  }

  get blockNumber(): string {
    return this.#text.slice(this.#chainIdEnd + 1, this.#blockNumberEnd);
  }

  get logIndex(): string {
    return this.#text.slice(this.#blockNumberEnd + 1, this.#logIndexEnd);
  }

  get familyId(): string {
    return this.#text.slice(this.#logIndexEnd + 1, this.#familyIdEnd);
  }

  /** As stored. */
  get type(): string {
    return this.#text.slice(this.#familyIdEnd + 1, this.#typeEnd);
  }

  /** Without 0x. */
  get wallet(): string {
    return this.#text.slice(this.#typeEnd + 1, this.#walletEnd);
  }

  /** Empty when it is not known. */
  get assets(): string {
    return this.#text.slice(this.#walletEnd + 1, this.#assetsEnd);
  }

  get shares(): string {
    return this.#text.slice(this.#assetsEnd + 1, this.#sharesEnd);
  }

  /** Without 0x. */
  get txHash(): string {
    return this.#text.slice(this.#sharesEnd + 1, this.#txHashEnd);
  }

  /** Whether another row follows. */
  get hasMore(): boolean {
    return this.#txHashEnd + 1 < this.#text.length;
  }

  /** The same rows from the first on. */
  again(): HistoryRows {
    return new HistoryRows(this.#text);
  }

  /** Of this row. */
  place(): LogPlace {
    return {
      blockTime: Number(this.blockTime),
      chainId: Number(this.chainId),
      blockNumber: Number(this.blockNumber),
      logIndex: Number(this.logIndex),
    };
  }
}
