import { describe, expect, test } from 'vitest';
import { decodeJson, encodeJson } from './base64.ts';

describe('encodeJson', () => {
  test.each([{ name: 'USD Coin' }, { name: 'USD₮0 é \u{1f4b5}' }, {}])('default: %j', (value) => {
    const header = encodeJson(value);
    expect(header).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(decodeJson(header)).toEqual(value);
    expect(Buffer.from(header, 'base64').toString()).toBe(JSON.stringify(value));
  });
});

describe('decodeJson', () => {
  test.each(['', '!', 'AAAA', btoa('null'), btoa('[1]'), btoa('"text"'), btoa('{"a":')])(
    'error: %j is not an object',
    (header) => {
      expect(decodeJson(header)).toBe(undefined);
    },
  );
});
