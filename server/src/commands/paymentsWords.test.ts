import { describe, expect, test } from 'vitest';
import { readWords, refusalOf } from '../../test/readWords.ts';

const PAYER = `0x${'aB'.repeat(20)}`;
const NONCE = `0x${'Cd'.repeat(32)}`;
const HASH = `0x${'eF'.repeat(32)}`;
/** 2026-03-01T00:00:00Z. */
const MARCH = 1_772_323_200;
const DAY = 86_400;

describe('payments list, payments reconcile, payments resume', () => {
  test.each(['payments list', 'payments reconcile', 'payments resume'])(
    'default: %s',
    async (line) => {
      expect(await readWords(line)).toEqual({ name: line, config: 'assay.yaml' });
    },
  );

  test.each(['payments list 5', 'payments reconcile --all'])('error: %s', async (line) => {
    expect(await refusalOf(line)).toMatch(/^unknown (word|flag) /);
  });
});

describe('payments report', () => {
  test('default: by day, over all time', async () => {
    expect(await readWords('payments report')).toEqual({
      name: 'payments report',
      config: 'assay.yaml',
      by: 'day',
      from: 0,
      until: 253_402_300_800,
    });
  });

  test('behavior: from the first day through the last', async () => {
    const both = await readWords('payments report --by payer --from 2026-03-01 --to 2026-03-02');
    expect(both).toMatchObject({ by: 'payer', from: MARCH, until: MARCH + 2 * DAY });
    const one = await readWords('payments report --by=route --from=2026-03-01 --to=2026-03-01');
    expect(one).toMatchObject({ by: 'route', from: MARCH, until: MARCH + DAY });
    expect(await readWords('payments report --from 2024-02-29')).toMatchObject({
      from: 1_709_164_800,
    });
  });

  test.each([
    ['--by month', '--by must be one of day, route, payer; correct it'],
    ['--by Day', '--by must be one of day, route, payer; correct it'],
    ['--from 2026-02-30', '--from must be a date such as 2026-03-01; correct it'],
    ['--from 2025-02-29', '--from must be a date such as 2026-03-01; correct it'],
    ['--to 2026-13-01', '--to must be a date such as 2026-03-01; correct it'],
    ['--to 20260301', '--to must be a date such as 2026-03-01; correct it'],
    ['--to 2026-03-01T00:00:00Z', '--to must be a date such as 2026-03-01; correct it'],
    ['--from 2026-03-02 --to 2026-03-01', '--from is after --to; swap them'],
    ['--from', '--from needs a value; write --from DATE'],
  ])('error: %s', async (flags, words) => {
    expect(await refusalOf(`payments report ${flags}`)).toBe(words);
  });
});

describe('payments refund', () => {
  test('default: in canonical form', async () => {
    expect(await readWords(`payments refund ${PAYER}:${NONCE} --transaction ${HASH}`)).toEqual({
      name: 'payments refund',
      config: 'assay.yaml',
      payer: PAYER.toLowerCase(),
      nonce: NONCE.toLowerCase(),
      transaction: HASH.toLowerCase(),
    });
  });

  test('behavior: dismissed, with the reason', async () => {
    expect(await readWords(`payments refund ${PAYER}:${NONCE} --dismiss other-seller`)).toEqual({
      name: 'payments refund',
      config: 'assay.yaml',
      payer: PAYER.toLowerCase(),
      nonce: NONCE.toLowerCase(),
      dismiss: 'other-seller',
    });
  });

  const which = 'specify a payment: PAYER:NONCE, as "assay payments list" prints it';
  const hash = '--transaction must be the hash of the refund transfer';
  test.each([
    ['no payment', `--transaction ${HASH}`, which],
    ['a payer alone', `${PAYER} --transaction ${HASH}`, which],
    ['a short nonce', `${PAYER}:0x12 --transaction ${HASH}`, which],
    ['more after it', `${PAYER}:${NONCE}0 --transaction ${HASH}`, which],
    ['no transaction', `${PAYER}:${NONCE}`, hash],
    ['a short hash', `${PAYER}:${NONCE} --transaction 0x12`, hash],
    [
      'both ends',
      `${PAYER}:${NONCE} --transaction ${HASH} --dismiss x`,
      'use either --transaction or --dismiss',
    ],
    ['no hash', `${PAYER}:${NONCE} --transaction ${NONCE.slice(2)}`, hash],
  ])('error: %s', async (_, words, message) => {
    expect(await refusalOf(`payments refund ${words}`)).toBe(message);
  });
});
