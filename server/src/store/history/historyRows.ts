import type { LogPlace } from '../../domain/order.ts';

/**
 * The rows of a page as one text, exactly as the database returned it: digits and hex only. A page is read for each
 * request, and creating an object per row would cost more than reading it, so a field is cut out of the text only when
 * it is read.
 */
export class HistoryRows {
  readonly #text: string;
  #start = 0;
  /** End of each field of the row, in column order; a comma follows each. */
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

  /** All fields of the rows, separated by commas: those of the getters below, in their order. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Moves to the next row, at first to the first; false if there is none. */
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

  /** Empty if unknown. */
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

  /** Returns a reader of the same rows that starts at the first. */
  again(): HistoryRows {
    return new HistoryRows(this.#text);
  }

  /** Of the current row. */
  place(): LogPlace {
    return {
      blockTime: Number(this.blockTime),
      chainId: Number(this.chainId),
      blockNumber: Number(this.blockNumber),
      logIndex: Number(this.logIndex),
    };
  }
}
