/** A block hash that no stored block has: unknown, or removed by a reorg. */
export class UnknownBlock extends Error {
  override readonly name = 'UnknownBlock';
}

/** There is no data of that moment: it is before the first data point, or in a gap. */
export class NoDataThen extends Error {
  override readonly name = 'NoDataThen';
  /** The nearest moment with data, in Unix seconds; null if there is none. */
  readonly nearest: number | null;

  constructor(message: string, nearest: number | null) {
    super(message);
    this.nearest = nearest;
  }
}
