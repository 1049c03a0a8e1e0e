import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { REFUSAL_CODES } from './refusalCodes.ts';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** Codes that no 402 returns: they end in 409, 429, or 503, or belong to a step. */
const ELSEWHERE = new Set([
  'payment_identifier_conflict',
  'payment_unrecorded',
  'facilitator_unavailable',
  'facilitator_out_of_gas',
  'network_fees_too_high',
  'payer_throttled',
  'wallets_throttled',
  'settlement_pending',
  'no_funds',
  'nonce_ahead',
  'nonce_used',
  'selling_stopped',
  'payment_status_unknown',
]);

/** Returns the strings with underscores in the payment code, except RPC methods. */
function codesInSource(): Set<string> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|refusalCodes\.ts$/.test(file),
  );
  const texts = files.map((file) => readFileSync(FOLDER + file, 'utf8'));
  const words = texts.flatMap((text) => [...text.matchAll(/'([a-z][a-z0-9]*(?:_[a-z0-9]+)+)'/g)]);
  return new Set(words.map(([, word]) => word!).filter((word) => !/^(eth|net)_/.test(word)));
}

describe('REFUSAL_CODES', () => {
  test('default: every code of a 402 is described, once', () => {
    const described = REFUSAL_CODES.map(({ code }) => code);
    expect(new Set(described).size).toBe(described.length);
    const missing = [...codesInSource()].filter(
      (code) => !described.includes(code) && !ELSEWHERE.has(code),
    );
    expect(missing).toEqual([]);
    expect(described.filter((code) => ELSEWHERE.has(code))).toEqual([]);
  });
});
