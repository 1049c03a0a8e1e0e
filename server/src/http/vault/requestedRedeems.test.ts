import { describe, expect, test } from 'vitest';
import { pendingOf } from './requestedRedeems.ts';

const RATIO = { assets: 3n, shares: 2n };

function request(shares: bigint, assets: bigint | null, settled = false) {
  return { familyId: 1, chainId: 1, shares, assets, settled };
}

describe('pendingOf', () => {
  test('default: the promised amount, or the value of the shares without a promise', () => {
    const requests = [request(10n, 14n), request(5n, null), request(2n, null)];
    expect(pendingOf(requests, RATIO)).toEqual({
      ...{ shares: 17n, requestedAssets: 24n, currentAssets: 25n },
      claimable: { shares: 0n, assets: 0n },
    });
  });

  test('behavior: claimable amounts need no value of shares; pending shares do', () => {
    const settled = [request(10n, 14n, true), request(5n, 8n, true)];
    expect(pendingOf(settled, null)).toMatchObject({ claimable: { shares: 15n, assets: 22n } });
    expect(pendingOf([request(5n, null, true)], null)).toMatchObject({
      claimable: { shares: 5n, assets: null },
    });
    expect(pendingOf([request(5n, 8n)], null)).toBeNull();
  });
});
