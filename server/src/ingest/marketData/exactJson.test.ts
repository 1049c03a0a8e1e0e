import { describe, expect, test } from 'vitest';
import { JsonNumber, parseExactJson } from './exactJson.ts';

describe('parseExactJson', () => {
  test('default', () => {
    const text =
      '{"a": [0.1234567890123456789, -1e-7, "2.5", "a \\"3\\" b"], "4": null, "b": true}';
    expect(parseExactJson(text)).toEqual({
      a: [new JsonNumber('0.1234567890123456789'), new JsonNumber('-1e-7'), '2.5', 'a "3" b'],
      '4': null,
      b: true,
    });
  });

  test.each(['', '{', '[1.2.3]', '[NaN]', '[01]', '{"a": 1'])('error: %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});
