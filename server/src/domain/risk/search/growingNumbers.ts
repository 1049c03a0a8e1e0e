/** A list of 32-bit numbers that grows without making objects of them. */
export interface GrowingNumbers {
  readonly length: number;
  push(value: number): void;
  finish(): Uint32Array<ArrayBuffer>;
}

export function createGrowingNumbers(): GrowingNumbers {
  let values = new Uint32Array(1024);
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
    finish: () => values.slice(0, length),
  };
}
