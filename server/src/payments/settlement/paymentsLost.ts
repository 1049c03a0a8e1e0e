/** Responses were delivered for payments that the chain does not have and can no longer get. */
export class PaymentsLost extends Error {
  override readonly name = 'PaymentsLost';
  readonly count: number;

  constructor(count: number) {
    super(`${count} served and not paid after all: see "assay payments list"`);
    this.count = count;
  }
}
