import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isKnown } from './answerBytes.ts';
import { chooseEncoding, compress } from './compression.ts';

describe('chooseEncoding', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['BR;q=0.5, GZIP;q=0.8', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', 'identity'],
    ['*', 'br'],
    ['identity', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['gzip;q=x', 'identity'],
    ['br;q=0.9;q=0', 'br'],
    [',,;', 'identity'],
  ])('default: %s', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
    expect(chooseEncoding(header)).toBe(encoding);
  });
});

describe('compress', () => {
  test('default', async () => {
    const bytes = Buffer.from('abc'.repeat(1_000));
    expect(gunzipSync(await compress(bytes, 'gzip'))).toEqual(bytes);
    expect(brotliDecompressSync(await compress(bytes, 'br'))).toEqual(bytes);
  });
});

describe('isKnown', () => {
  test.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", W/"c" , "a"', true],
    ['*', true],
    [' * ', true],
    ['"b"', false],
    ['a', false],
    ['"a-br"', false],
    ['', false],
  ])('default: %s', (header, known) => {
    expect(isKnown(header, '"a"')).toBe(known);
  });
});
