import { describe, expect, test } from 'vitest';
import type { Hex } from '../../domain/hex.ts';
import type { WatchedPayment } from '../../store/payments/watchedPayments.ts';
import type { OnChainStatus } from '../chain/paymentChain.ts';
import { createAbsentPayments } from './absentPayments.ts';
import { DEAD_AFTER_SECONDS } from './reconcile.ts';

const WORD: Hex = `0x${'00'.repeat(32)}`;
const VALID_BEFORE = 1_000;
const DEAD = VALID_BEFORE + DEAD_AFTER_SECONDS;
const PAYMENT: WatchedPayment = {
  chainId: 8453,
  asset: '0x0a',
  payer: '0x0b',
  nonce: WORD,
  value: 1n,
  payTo: '0x0c',
  validAfter: 0,
  validBefore: VALID_BEFORE,
  signature: WORD,
  fromBlock: 1,
  state: 'settled',
  transaction: WORD,
  settledAt: 900,
  blockNumber: null,
};

/** `used`: at the head, whose time is `time`; `status`: by the request after that one. */
function explain(used: boolean, status: OnChainStatus, time = DEAD) {
  const { explain } = createAbsentPayments({
    reads: { areUsed: async () => [used] },
    chain: { getOnChainStatus: async () => status },
    onError: () => {},
  });
  return explain([PAYMENT], { number: 9, hash: WORD, time, at: 0 });
}

describe('absentPayments', () => {
  const unusedAt = (time: number) => ({ status: 'unused', at: { number: 9, time } }) as const;

  test('default: unused in a block after its end: gone', async () => {
    expect(await explain(false, unusedAt(DEAD))).toEqual({
      elsewhere: [],
      gone: [PAYMENT],
      unused: [],
    });
    const early = await explain(false, unusedAt(DEAD - 1), DEAD - 1);
    expect(early).toEqual({ elsewhere: [], gone: [], unused: [PAYMENT] });
  });

  test('behavior: used at the head, and unused by an endpoint that is behind: not gone', async () => {
    const behind = await explain(true, unusedAt(DEAD - 1));
    expect(behind).toEqual({ elsewhere: [], gone: [], unused: [PAYMENT] });
  });

  test('behavior: used for something else: gone', async () => {
    const other = await explain(true, { status: 'void' });
    expect(other).toEqual({ elsewhere: [], gone: [PAYMENT], unused: [] });
  });
});
