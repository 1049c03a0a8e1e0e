import { createHash } from 'node:crypto';

/** Half of SHA-256 in hexadecimal: short enough to keep per row, long enough never to meet by chance. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
