import { createHash } from 'node:crypto';

/**
 * Returns an integer below `count` that depends only on the seed and the name.
 * @param {string} seed
 * @param {string} name
 * @param {number} count
 */
export function pick(seed, name, count) {
  const digest = createHash('sha256').update(`${seed}:${name}`).digest();
  return digest.readUInt32BE(0) % count;
}

/**
 * Returns the values in an order that depends only on the seed.
 * @template T
 * @param {readonly T[]} values
 * @param {string} seed
 * @returns {T[]}
 */
export function shuffle(values, seed) {
  const keyed = values.map((value, i) => ({ value, key: pick(seed, String(i), 2 ** 32) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
