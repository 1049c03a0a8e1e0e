import { createHash } from 'node:crypto';

/** Returns half of a SHA-256 in hexadecimal: short enough to store per row, long enough to avoid collisions. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
