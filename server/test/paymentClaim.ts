import { randomBytes } from 'node:crypto';
import type { Hex } from '../src/domain/hex.ts';
import type { Claim } from '../src/store/payments/paymentRow.ts';

export const CLAIMED_AT = 1_800_000_000;

/** Returns a client's claim, made by the process `one`. */
export function claimOf(changes: Partial<Claim> = {}): Claim {
  return {
    chainId: 8453,
    asset: '0x00000000000000000000000000000000000000a5',
    payer: randomHex(20),
    nonce: randomHex(32),
    value: 50_000n,
    payTo: randomHex(20),
    validAfter: 0,
    validBefore: CLAIMED_AT + 60,
    signature: '0x1234',
    identifier: null,
    route: 'node',
    calls: 1,
    request: randomHex(32),
    client: null,
    owner: 'one',
    leaseUntil: CLAIMED_AT + 15,
    fromBlock: 1,
    claimedBlock: 17,
    claimedAt: CLAIMED_AT,
    ...changes,
  };
}

export function randomHex(length: number): Hex {
  return `0x${randomBytes(length).toString('hex')}`;
}
