// Floods the paid route of a server with payments of unfunded keys, as its JSON argument describes. Prints `in place`
// when every request was sent once. At SIGTERM, it prints how often each status was returned.
import { randomBytes } from 'node:crypto';
import { setPriority } from 'node:os';
import { deriveWallet } from '../../../devnet/src/wallet.ts';
import { signDigest } from '../../src/payments/authorization/curve.ts';
import { createDigest } from '../../src/payments/authorization/digest.ts';
import type { Authorization, PaymentTerms } from '../../src/payments/authorization/payment.ts';
import { pause } from '../../src/runtime/pause.ts';
import { signRequest } from '../paymentsClient.ts';
import { ask } from '../production/readers.ts';
import type { TokenChain } from '../tokenChain.ts';

export interface FloodOptions {
  readonly url: string;
  readonly path: string;
  readonly price: string;
  readonly terms: PaymentTerms;
  /** Requests in flight at once; each response is followed by the next request. */
  readonly requests: number;
  /** Minimum time between two requests of the same sender. */
  readonly everyMs: number;
  readonly keys: number;
  readonly addresses: number;
}

/** Payments signed in advance per sender. */
const ROUNDS = 10;

const options = JSON.parse(process.argv[2]!) as FloodOptions;
const { url, path, terms, requests, everyMs } = options;
const digest = createDigest(terms);
const chain = { terms, now, pay } as TokenChain;
const payers = times(options.keys, (i) => deriveWallet('flood', `key ${i}`));
const statuses: Record<string, number> = {};
let sent = 0;
let over = false;
// Real attackers use their own CPUs. The low priority leaves this machine's CPUs to the measured processes.
setPriority(19);
process.once('SIGTERM', () => {
  over = true;
});

// Signed in advance to save CPU time during the measurement.
const signed = times(requests, (i) => times(ROUNDS, () => sign(i)));
const all = times(requests, send);
while (sent < requests) await pause(10);
console.log('in place');
await Promise.all(all);
console.log(JSON.stringify(statuses));
process.exit();

function sign(i: number): string {
  const payer = payers[i % payers.length]!;
  return signRequest(chain, { path, payer, price: BigInt(options.price) }).header;
}

async function send(i: number): Promise<void> {
  const address = `203.0.113.${1 + (i % options.addresses)}`;
  // Spreads the senders evenly over the first interval.
  await pause((i * everyMs) / requests);
  while (!over) {
    const next = pause(everyMs);
    const header = signed[i]!.pop() ?? sign(i);
    sent++;
    const reply = await ask(url + path, {
      'x-forwarded-for': address,
      'payment-signature': header,
    });
    const status = String(reply?.status);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await next;
  }
}

function pay({ key, ...fields }: Parameters<TokenChain['pay']>[0] & object) {
  const authorization = {
    to: terms.payTo,
    validAfter: BigInt(now() - 600),
    nonce: `0x${randomBytes(32).toString('hex')}`,
    ...fields,
  } as Authorization;
  return { authorization, signature: signDigest(key!, digest(authorization)) };
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
