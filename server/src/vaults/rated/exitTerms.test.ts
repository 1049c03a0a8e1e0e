import { expect, test } from 'vitest';
import type { FamilyChainConfig } from '../../config/config.ts';
import type { ExitTerms } from '../../domain/vault/exitTerms.ts';
import { NONE, UNKNOWN } from '../../domain/vault/exitTerms.ts';
import type { CallResult } from '../kind.ts';
import { exitTerms } from './exitTerms.ts';

const VAULT = `0x${'1'.repeat(40)}` as const;
const word = (value: bigint): CallResult => `0x${value.toString(16).padStart(64, '0')}`;

/** Returns the terms for these flows and a rate that a contract can pause. */
function termsOf(actions: readonly string[], paused?: CallResult): ExitTerms {
  const pause = { contract: VAULT, call: 'isPaused()', data: '0x01', answer: 0 };
  const rated = {
    flows: actions.map((action) => ({ action })),
    rate: { kind: 'call', paused: paused === undefined ? null : pause },
  };
  const chain = { address: VAULT, rated } as unknown as FamilyChainConfig;
  const read = exitTerms({ chain, asset: null, share: VAULT, unit: 1n, assets: 5n, holders: [] });
  let step = read.next([]);
  while (!step.done) step = read.next(step.value.map(() => paused ?? null));
  return step.value;
}

test('default: exits are queued if they can only be requested', () => {
  expect(termsOf(['deposit', 'request', 'settle'])).toMatchObject({
    ...{ withdrawable: NONE, hasQueue: true, paused: null, fee: null, deposits: null },
  });
  expect(termsOf(['deposit', 'request', 'exit'])).toMatchObject({
    ...{ withdrawable: UNKNOWN, hasQueue: true },
  });
  expect(termsOf(['deposit'])).toMatchObject({ withdrawable: UNKNOWN, hasQueue: null });
});

test('behavior: paused as the contract of the rate reports it, and null if it does not respond', () => {
  expect(termsOf([], word(1n)).paused).toBe(true);
  expect(termsOf([], word(0n)).paused).toBe(false);
  expect(termsOf([], null).paused).toBeNull();
});
