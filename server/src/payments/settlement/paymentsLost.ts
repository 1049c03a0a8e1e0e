/** Payments were served and are not paid: the chain does not have them, and cannot any more. */
export class PaymentsLost extends Error {
  override readonly name = 'PaymentsLost';
  readonly count: number;

  constructor(count: number) {
    super(`${count} served and not paid after all: see "assay payments list"`);
    this.count = count;
  }
}
