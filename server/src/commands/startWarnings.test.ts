import { expect, test } from 'vitest';
import { LEGACY_API_REMOVAL } from '../domain/legacyApi.ts';
import { getStartWarnings } from './startWarnings.ts';

const LAST_SECOND = Date.parse(`${LEGACY_API_REMOVAL}T23:59:59Z`) / 1000;
const legacyApi = { until: LAST_SECOND + 1_000_000 };

test('default: no warning of the legacy API up to its last second', () => {
  expect(getStartWarnings({ legacyApi }, LAST_SECOND)).toEqual([]);
  expect(getStartWarnings({ legacyApi, warnings: ['a'] }, LAST_SECOND)).toEqual(['a']);
});

test('behavior: one warning from the next second on', () => {
  expect(getStartWarnings({ legacyApi, warnings: ['a'] }, LAST_SECOND + 1)).toEqual([
    'a',
    'legacyApi is past its removal date, 2027-03-31: the next version does not serve the legacy API; move its clients to the current API (docs/migration.md), then remove the key',
  ]);
});

test('behavior: no warning while the legacy API is not enabled', () => {
  expect(getStartWarnings({ warnings: ['a'] }, LAST_SECOND + 1)).toEqual(['a']);
});
