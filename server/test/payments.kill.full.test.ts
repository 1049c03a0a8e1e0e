import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { lower } from '../src/domain/hex.ts';
import { createRandom } from './activity.ts';
import { enginesFor, useDatabase } from './database.ts';
import { useTokenChain } from './paidTests.ts';
import {
  refusalOf,
  retrySigned,
  type SignedRequest,
  sendSigned,
  signRequest,
} from './paymentsClient.ts';
import { type Seller, startSeller } from './paymentsSeller.ts';
import { PRICE } from './tokenChain.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 8_453);
const RANDOM_KILLS = LONG ? 100 : 0;
const PAYERS = 8;
/** Longer than a lease, so that the next process can take over a killed one's payments. */
const NEXT_LIFE_SECONDS = 16;
const HELD = 'after the broadcast';
const STEPS = [
  'before the claim',
  'after the claim',
  'after verifying',
  'after the handler',
  'after storing the answer',
  HELD,
  'after mining',
  'after writing that it settled',
  'in the middle of the answer',
];
/** From this step on, the client pays for the response that was stored before the kill. */
const KEPT_FROM = STEPS.indexOf('after storing the answer');

/** A: sends a payment identifier and retries. B: retries without an identifier. C: never returns. */
type Kind = 'A' | 'B' | 'C';
interface Client extends SignedRequest {
  readonly kind: Kind;
}

describe.each(enginesFor('seller kill'))(`a seller killed on %s (seed ${SEED})`, (engine) => {
  const random = createRandom(SEED + engine.length);
  const clients: Client[] = [];
  /**
   * Payments answered by a process that was killed, perhaps before it recorded the delivery. They may be listed as
   * undelivered.
   */
  const answeredInDeath = new Set<string>();
  const chain = useTokenChain({ payers: PAYERS });
  const { database } = useDatabase(engine);
  let seller: Seller;
  let ahead = 0;

  beforeAll(async () => {
    seller = await startSeller(database(), chain);
    // A new payer is checked before the claim, a known payer after it. One purchase makes every payer known.
    for (const payer of chain.payers) {
      const path = '/api/v1/agent/node/pool:base:first';
      const first = signRequest(chain, { path, payer, price: PRICE, identified: true });
      expect((await sendSigned(seller.url, first))?.status).toBe(200);
    }
  });
  afterAll(async () => {
    await seller?.child.kill();
  });

  test.each(STEPS)('behavior: %s', async (step) => {
    const kinds: Kind[] = ['A', 'B', 'C'];
    const charged = await crash({ step, kinds, count: kinds.length, freeze: true });
    expect(charged.slice(0, 2), 'who came back').toEqual([PRICE, PRICE]);
    expect(charged[2], 'who did not').toBe(STEPS.indexOf(step) > KEPT_FROM ? PRICE : 0n);
  });

  test.runIf(LONG)(
    `behavior: ${RANDOM_KILLS} kills at random`,
    async () => {
      for (let kill = 0; kill < RANDOM_KILLS; kill++) {
        const kinds = Array.from({ length: 1 + random.int(PAYERS) }, () =>
          random.pick<Kind>(['A', 'B', 'C']),
        );
        const step = random.pick(STEPS);
        const count = 1 + random.int(kinds.length);
        await crash({ step, kinds, count, freeze: random.int(2) === 0 });
      }
    },
    RANDOM_KILLS * 20_000,
  );

  test('behavior: at the end, no payment is open, and ledger and chain agree', async () => {
    // Past the expiry of every authorization, plus the margin of reconciliation.
    ahead += 300;
    await chain.mine(chain.now() + ahead);
    await seller.child.kill();
    seller = await startSeller(database(), chain, ahead);
    const rows = await until(
      () => seller.rows(),
      (found) => found.every(({ state }) => state === 3 || state === 4),
    );
    const settled = rows.filter(({ state }) => state === 3);
    const earned = settled.reduce((sum, { value }) => sum + BigInt(value), 0n);
    expect(earned).toBe(await chain.balance(chain.terms.payTo));
    const list = (await seller.list()).join('\n');
    for (const { nonce, deliveredAt } of settled) {
      expect(list.includes(nonce), nonce).toBe(deliveredAt === null);
    }
    // Only clients that sent no identifier and never returned are owed a refund.
    const lost = settled.filter(({ deliveredAt }) => deliveredAt === null);
    const gone = new Set(clients.filter(({ kind }) => kind === 'C').map(({ nonce }) => nonce));
    const owed = lost.filter(({ nonce }) => !gone.has(nonce) && !answeredInDeath.has(nonce));
    expect(owed).toEqual([]);
  });

  /**
   * Runs one process until it is killed, then the next with every client's retry; returns what each client was charged.
   */
  async function crash(run: {
    readonly step: string;
    readonly kinds: readonly Kind[];
    readonly count: number;
    readonly freeze: boolean;
  }): Promise<readonly bigint[]> {
    const { step } = run;
    const sent = run.kinds.map((kind, i): Client => {
      const identified = kind === 'A';
      const path = `/api/v1/agent/node/pool:base:${clients.length + i}`;
      const payer = chain.payers[i]!;
      return { kind, ...signRequest(chain, { path, payer, price: PRICE, identified, ahead }) };
    });
    clients.push(...sent);
    const before = await balances(sent);
    const { life } = seller;
    // Payments of an earlier process are settled in the background and may reach that step first.
    const alone = (await seller.rows()).every(({ state }) => state === 3 || state === 4);
    await seller.arm(step, run.count, run.freeze);
    chain.hold(step === HELD);
    const first = await Promise.all(sent.map((client) => sendSigned(seller.url, client)));
    const alive = sleep(1_000, 'it did not come to that step', { ref: false });
    expect(await Promise.race([seller.child.exit, alive]), step).toBeNull();
    if (run.freeze) expect(first.filter((answer) => answer !== undefined)).toEqual([]);

    ahead += NEXT_LIFE_SECONDS;
    seller = await startSeller(database(), chain, ahead);
    const retrying = Promise.all(
      sent.map((client, i) => {
        if (first[i] !== undefined || client.kind === 'C') return first[i];
        return retrySigned(seller.url, client);
      }),
    );
    chain.hold(false);
    // The pending transaction is mined while the next process checks it.
    if (step === HELD) await chain.mine();
    const last = await retrying;
    const after = await balances(sent);
    const charged = sent.map((_, i) => before[i]! - after[i]!);
    const list = await until(
      () => seller.list(),
      (lines) => sent.every(({ nonce }, i) => isFair(last[i]?.status, charged[i]!, lines, nonce)),
    );
    // The delivery is recorded shortly after the last byte. The next kill must not happen in between.
    await until(
      () => seller.rows(),
      (rows) =>
        sent.every(({ nonce }, i) => {
          if (first[i] !== undefined || last[i]?.status !== 200) return true;
          return rows.some((row) => row.nonce === nonce && row.deliveredAt !== null);
        }),
    );
    for (const [i, client] of sent.entries()) {
      if (first[i]?.status === 200) answeredInDeath.add(client.nonce);
      const said = `${last[i]?.status} ${refusalOf(last[i])}`;
      const seen = `${client.kind} ${step} ${said} ${JSON.stringify(run)} ${list.join('\n')}`;
      expect([0n, PRICE], seen).toContain(charged[i]);
      expect(isFair(last[i]?.status, charged[i]!, list, client.nonce), seen).toBe(true);
      if (last[i]?.status === 200) expect(charged[i], seen).toBe(PRICE);
      if (client.kind === 'A') expect(last[i]?.status, seen).toBe(200);
      // If only some payments reached the step, the stored responses are not known.
      const whole = run.freeze && run.count === sent.length && alone;
      const kept = whole && STEPS.indexOf(step) >= KEPT_FROM && client.kind !== 'C';
      if (kept) expect(last[i]?.body, seen).toContain(`"${life}"`);
    }
    return charged;
  }

  function balances(of: readonly Client[]): Promise<bigint[]> {
    return Promise.all(of.map(({ payer }) => chain.balance(lower(payer.address))));
  }
});

/** Returns whether the client was not charged, got its response, or is listed for a refund. */
function isFair(
  status: number | undefined,
  charged: bigint,
  list: readonly string[],
  nonce: string,
): boolean {
  if (charged === 0n || status === 200) return true;
  return list.some((line) => /^(refund|recent)/.test(line) && line.includes(nonce));
}

async function until<T>(read: () => Promise<T>, done: (found: T) => boolean): Promise<T> {
  const end = performance.now() + 30_000;
  for (;;) {
    const found = await read();
    if (done(found) || performance.now() > end) return found;
    await sleep(100);
  }
}
