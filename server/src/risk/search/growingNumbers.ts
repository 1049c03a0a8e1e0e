/** A growable list of numbers that does not box them. */
export interface GrowingNumbers<List> {
  readonly length: number;
  push(value: number): void;
  /** The numbers so far, as a view. */
  view(): List;
  finish(): List;
}

/** Of 32 bits. `expected`: estimated count, which saves reallocations. */
export function createGrowingNumbers(expected = 0): GrowingNumbers<Uint32Array<ArrayBuffer>> {
  return growing((length) => new Uint32Array(length), expected);
}

export function createGrowingDoubles(expected = 0): GrowingNumbers<Float64Array<ArrayBuffer>> {
  return growing((length) => new Float64Array(length), expected);
}

function growing<List extends Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  create: (length: number) => List,
  expected: number,
): GrowingNumbers<List> {
  let values = create(Math.max(1024, expected));
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const larger = create(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    view: () => values.subarray(0, length) as List,
    finish: () => (length === values.length ? values : (values.slice(0, length) as List)),
  };
}
