import { isAddress } from 'viem/utils';
import { joinPath } from '../problem.ts';
import { isObject } from '../shape.ts';
import type { Review } from './review.ts';

/** Checks every address of the file that is written with a checksum. */
export function checkChecksums({ file, fail }: Review): void {
  checkValue(file, '');

  function checkValue(value: unknown, path: string): void {
    if (Array.isArray(value)) {
      value.forEach((item: unknown, index) => {
        checkValue(item, joinPath(path, index));
      });
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) checkValue(value[key], joinPath(path, key));
    } else if (typeof value === 'string' && hasWrongChecksum(value)) {
      const fix = 'copy it again from its source, or write it all in lower case if it is right';
      fail(path, `has an invalid checksum, so a digit or letter may be mistyped; ${fix}`);
    }
  }
}

/** An address in one case has no checksum. */
function hasWrongChecksum(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return false;
  return !isAddress(text);
}
