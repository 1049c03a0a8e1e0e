import { describe, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { Hex } from '../../domain/hex.ts';
import { type Cursor, loadCursorKey, openCursor, sealCursor } from './cursor.ts';

const KEY: Hex = `0x${'07'.repeat(32)}`;
const FILTERS = JSON.stringify({ family: 'a', period: '7d' });
const CURSOR: Cursor = {
  place: { blockTime: 1_769_860_800, chainId: 8453, blockNumber: 41_412_050, logIndex: 12 },
  after: 1_769_256_000,
};
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('cursor', () => {
  test('default', () => {
    const text = sealCursor(KEY, FILTERS, CURSOR);
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(openCursor(KEY, FILTERS, text)).toEqual(CURSOR);
  });

  // The length changes how many bits of the last character are unused.
  test.each([1, 22, 333, 4444])('error: one character changed, log %s', (logIndex) => {
    const place = { ...CURSOR.place, logIndex };
    const text = sealCursor(KEY, FILTERS, { ...CURSOR, place });
    for (let i = 0; i < text.length; i++) {
      for (const other of [...ALPHABET, '=', '+', '/', ' ', '']) {
        if (other === text[i]) continue;
        const changed = text.slice(0, i) + other + text.slice(i + 1);
        expect(openCursor(KEY, FILTERS, changed), changed).toBeUndefined();
      }
    }
    for (const more of [...ALPHABET, '=', '.', '\n']) {
      expect(openCursor(KEY, FILTERS, text + more)).toBeUndefined();
    }
  });

  test('error: other filters, another key, something else', () => {
    const text = sealCursor(KEY, FILTERS, CURSOR);
    expect(openCursor(KEY, JSON.stringify({ family: 'b', period: '7d' }), text)).toBeUndefined();
    expect(openCursor(KEY, '{}', text)).toBeUndefined();
    expect(openCursor(`0x${'08'.repeat(32)}`, FILTERS, text)).toBeUndefined();
    for (const foreign of ['', 'a', 'x'.repeat(22), 'x'.repeat(8000), 'null', '{}']) {
      expect(openCursor(KEY, FILTERS, foreign)).toBeUndefined();
    }
  });
});

describeAnyEngine('loadCursorKey', (open, database) => {
  test('default', async () => {
    const store = await open();
    const keys = await Promise.all([loadCursorKey(store), loadCursorKey(store)]);
    expect(keys[0]).toMatch(/^0x[0-9a-f]{64}$/);
    expect(keys[1]).toEqual(keys[0]);
    // Only one process can open PGlite's folder.
    if (store.engine === 'pglite') return;
    expect(await loadCursorKey(await database().open())).toEqual(keys[0]);
  });
});
