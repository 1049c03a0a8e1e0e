import type { FeedEvent } from '@assay/client';
import { describe, expect, test } from 'vitest';
import { usualWait, waitAfterEvent } from './pace.ts';
import { anyFamily, ofFamily, ofUser, ofWallets } from './topics.ts';

const event = (type: FeedEvent['type'], family: string | null, data = {}): FeedEvent => ({
  ...{ cursor: '', type, state: 'applied', id: '1', family, chainId: 1, blockNumber: 1 },
  ...{ logIndex: 0, blockTimestamp: 0, data },
});

describe('topics', () => {
  test("default: a family's topic contains its own events and chain states", () => {
    const topic = ofFamily('a');
    expect(topic(event('history', 'a'))).toBe(true);
    expect(topic(event('history', 'b'))).toBe(false);
    expect(topic(event('state', null))).toBe(true);
    expect(topic(event('grade', null))).toBe(false);
    expect(anyFamily(event('pool', 'b'))).toBe(true);
  });

  test("default: a wallet's topic contains its own activity, in any case of its address", () => {
    const own = event('history', 'a', { user: '0xAB' });
    expect(ofWallets(['0xab'])(own)).toBe(true);
    expect(ofWallets(['0xcd'])(own)).toBe(false);
    expect(ofWallets(['0xcd'])(event('share-price', 'a'))).toBe(true);
    expect(ofUser('0xab')(own)).toBe(true);
    expect(ofUser('0xab')(event('share-price', 'a'))).toBe(false);
  });
});

describe('pace', () => {
  test('default: without the feed, the usual interval; with it, a slow one', () => {
    expect(usualWait(30_000, false)).toBe(30_000);
    expect(usualWait(30_000, true)).toBe(300_000);
    expect(usualWait(3_600_000, true)).toBe(3_600_000);
  });

  test('behavior: an event after a quiet time is read at once, and many cause one read', () => {
    expect(waitAfterEvent(30_000, 60_000, 0)).toBe(0);
    expect(waitAfterEvent(30_000, 4_000, 0)).toBe(6_000);
    expect(waitAfterEvent(300_000, 0, 1)).toBe(76_000);
  });
});
