export interface Random {
  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number;
}

/** A small seeded generator (a Weyl sequence through a mixing function): the same seed, the same chain. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (state + 0x9e37_79b9) >>> 0;
      let mixed = state ^ (state >>> 16);
      mixed = Math.imul(mixed, 0x21f0_aaad);
      mixed ^= mixed >>> 15;
      mixed = Math.imul(mixed, 0x735a_2d97);
      mixed ^= mixed >>> 15;
      return Math.floor(((mixed >>> 0) / 0x1_0000_0000) * limit);
    },
  };
}
