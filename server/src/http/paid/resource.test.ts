import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalResource } from './resource.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

const ROUTE = { path: '/api/v1/agent/node/{nodeId}' };

function canonical(query: string, nodeId = 'x'): string {
  return canonicalResource(ROUTE, `/whatever${query}`, { nodeId });
}

describe('canonicalResource', () => {
  test('default: equal values have one form', () => {
    expect(canonical('', 'pool:base:0x1')).toBe('/api/v1/agent/node/pool:base:0x1');
    expect(canonical('?')).toBe('/api/v1/agent/node/x');
    expect(canonical('?q=a+b')).toBe(canonical('?q=a%20b'));
    expect(canonical('?q=%61%3ab')).toBe(canonical('?q=a:b'));
    expect(canonical('?q=a%2Bb')).not.toBe(canonical('?q=a+b'));
    expect(canonical('?a=1&b=2')).not.toBe(canonical('?b=2&a=1'));
    expect(canonical('?a')).not.toBe(canonical('?a='));
  });

  test('behavior: a canonical URL stays unchanged for any request', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]*$/), (query) => {
        const once = canonical(`?${query}`);
        const at = once.indexOf('?');
        expect(canonical(at === -1 ? '' : once.slice(at))).toBe(once);
        expect(once).toMatch(/^[!-~]+$/);
      }),
    );
  });

  test('behavior: different values are different resources', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        fc.pre(a !== b);
        const spelled = (value: string) => canonical(`?q=${encodeURIComponent(value)}`, value);
        expect(spelled(a)).not.toBe(spelled(b));
      }),
    );
  });
});
