import { encodeFunctionData, parseAbi } from 'viem';
import { expect } from 'vitest';
import type { Hex } from '../src/domain/hex.ts';
import type { SignedAuthorization } from '../src/payments/authorization/payment.ts';
import { paymentReports } from '../src/store/payments/reports.ts';
import { type Queryable, statement } from '../src/store/store.ts';
import { bytes } from '../src/store/wire.ts';
import type { Reply } from './paidTestServer.ts';

const TOKEN = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
]);
const deletePayment = statement('test.deletePayment', 'delete from payment where nonce = $1');
const deletePayer = statement('test.deletePayer', 'delete from payer where payer = $1');

/** Deletes a payment's row, as a failover to a replica that never received it does. */
export async function loseRow(
  db: Queryable,
  { authorization: { from, nonce } }: SignedAuthorization,
  { payerToo = false }: { readonly payerToo?: boolean } = {},
): Promise<void> {
  await db.query(deletePayment, [bytes(nonce)]);
  if (payerToo) await db.query(deletePayer, [bytes(from)]);
}

/** Encodes the call that uses an authorization; any account can send it. */
export function useOf({ authorization, signature }: SignedAuthorization): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
  return encodeFunctionData({ abi: TOKEN, functionName: 'transferWithAuthorization', args });
}

/** Returns a payment's entries in the list of unrecorded charges. */
export async function entriesOf(db: Queryable, { authorization: { nonce } }: SignedAuthorization) {
  return (await paymentReports.getUnrecorded(db)).filter((entry) => entry.nonce === nonce);
}

/** Expects a 409 that reports the charge: a problem document without an invoice. */
export function expectUnrecorded(reply: Reply): void {
  expect({ status: reply.status, body: JSON.parse(reply.body.toString()) }).toMatchObject({
    status: 409,
    body: { status: 409, code: 'payment_unrecorded' },
  });
  expect(reply.headers['payment-required']).toBeUndefined();
  expect(reply.headers['cache-control']).toBe('no-store');
}
