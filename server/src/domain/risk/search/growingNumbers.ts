/** A list of numbers that grows without making objects of them. */
export interface GrowingNumbers<List> {
  readonly length: number;
  push(value: number): void;
  /** What is there so far, where it lies. */
  view(): List;
  finish(): List;
}

/** Of 32 bits. `expected`: how many there will be, as far as is known; room that is right from the start is cheaper. */
export function createGrowingNumbers(expected = 0): GrowingNumbers<Uint32Array<ArrayBuffer>> {
  let values = new Uint32Array(Math.max(1024, expected));
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const larger = new Uint32Array(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    view: () => values.subarray(0, length),
    finish: () => (length === values.length ? values : values.slice(0, length)),
  };
}

export function createGrowingDoubles(expected = 0): GrowingNumbers<Float64Array<ArrayBuffer>> {
  let values = new Float64Array(Math.max(1024, expected));
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const larger = new Float64Array(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    view: () => values.subarray(0, length),
    finish: () => (length === values.length ? values : values.slice(0, length)),
  };
}
