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
  #blockTime = 0;
  #chainId = 0;
  #blockNumber = 0;
  #logIndex = 0;
  #familyId = 0;
  #type = 0;
  #wallet = 0;
  #assets = 0;
  #shares = 0;
  #txHash = -1;

  /** Fields of all rows between commas: those of the getters below, in their order. */
  constructor(text: string) {
    this.#text = text;
  }

  /** Goes on to the next row, the first at the start; false when there is none. */
  next(): boolean {
    const text = this.#text;
    const start = this.#txHash + 1;
    if (start >= text.length) return false;
    this.#start = start;
    this.#blockTime = text.indexOf(',', start);
    this.#chainId = text.indexOf(',', this.#blockTime + 1);
    this.#blockNumber = text.indexOf(',', this.#chainId + 1);
    this.#logIndex = text.indexOf(',', this.#blockNumber + 1);
    this.#familyId = text.indexOf(',', this.#logIndex + 1);
    this.#type = text.indexOf(',', this.#familyId + 1);
    this.#wallet = text.indexOf(',', this.#type + 1);
    this.#assets = text.indexOf(',', this.#wallet + 1);
    this.#shares = text.indexOf(',', this.#assets + 1);
    const end = text.indexOf(',', this.#shares + 1);
    this.#txHash = end === -1 ? text.length : end;
    return true;
  }

  get blockTime(): string {
    return this.#text.slice(this.#start, this.#blockTime);
  }

  get chainId(): string {
    return this.#text.slice(this.#blockTime + 1, this.#chainId);
  }

  get blockNumber(): string {
    return this.#text.slice(this.#chainId + 1, this.#blockNumber);
  }

  get logIndex(): string {
    return this.#text.slice(this.#blockNumber + 1, this.#logIndex);
  }

  get familyId(): string {
    return this.#text.slice(this.#logIndex + 1, this.#familyId);
  }

  /** As stored. */
  get type(): string {
    return this.#text.slice(this.#familyId + 1, this.#type);
  }

  /** Without 0x. */
  get wallet(): string {
    return this.#text.slice(this.#type + 1, this.#wallet);
  }

  /** Empty when it is not known. */
  get assets(): string {
    return this.#text.slice(this.#wallet + 1, this.#assets);
  }

  get shares(): string {
    return this.#text.slice(this.#assets + 1, this.#shares);
  }

  /** Without 0x. */
  get txHash(): string {
    return this.#text.slice(this.#shares + 1, this.#txHash);
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
