/** A seeded random number generator. Uses only integer and basic float arithmetic, so results are the same everywhere. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Returns an integer from 0 to `below` − 1. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Returns `amount` times a number in [low, high). */
  scale(amount: bigint, low: number, high: number): bigint;
}

const TWO_32 = 4_294_967_296;

export function createRandom(seed: string): Random {
  // sfc32, with its four words from a string hash.
  const hash = hashWords(seed);
  let a = hash();
  let b = hash();
  let c = hash();
  let counter = hash();

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / TWO_32;
  }
  // The first numbers of similar seeds are similar.
  for (let round = 0; round < 12; round++) next();

  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick(items) {
      if (items.length === 0) throw new RangeError('pick needs at least one item.');
      return items[int(items.length)]!;
    },
    scale: (amount, low, high) =>
      (amount * BigInt(Math.floor((low + next() * (high - low)) * 1_000_000))) / 1_000_000n,
  };
}

function hashWords(text: string): () => number {
  let hash = 1_779_033_703 ^ text.length;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 3_432_918_353);
    hash = (hash << 13) | (hash >>> 19);
  }
  return () => {
    hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
    hash ^= hash >>> 16;
    return hash | 0;
  };
}
