import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { lower } from '../src/domain/hex.ts';
import { useDatabase } from './database.ts';
import { useTokenChain } from './paidTests.ts';
import { refusalOf, retrySigned, sendSigned, signRequest } from './paymentsClient.ts';
import { type Seller, startSeller } from './paymentsSeller.ts';
import { PRICE } from './tokenChain.ts';

const ROUNDS = LONG ? 200 : 15;
const PAYERS = 6;

describe('two servers on one PostgreSQL, with the same keys', () => {
  const chain = useTokenChain({ payers: PAYERS });
  const { database } = useDatabase('postgres');
  let sellers: Seller[];
  let asked = 0;

  beforeAll(async () => {
    sellers = await Promise.all([startSeller(database(), chain), startSeller(database(), chain)]);
  });
  afterAll(async () => {
    await Promise.all((sellers ?? []).map(({ child }) => child.kill()));
  });

  function sign(payer: number, identified: boolean) {
    asked += 1;
    const path = `/api/v1/agent/node/pool:base:${asked}`;
    return signRequest(chain, { path, payer: chain.payers[payer]!, price: PRICE, identified });
  }

  test(
    `default: the same payment at both at once, ${ROUNDS} times`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        // Half of them have an identifier. All payers send at once, so that the keys are busy on both servers.
        const requests = chain.payers.map((_, i) => sign(i, i % 2 === 0));
        const before = await chain.balance(chain.terms.payTo);
        const answers = await Promise.all(
          requests.map((request) =>
            Promise.all(sellers.map(({ url }) => sendSigned(url, request))),
          ),
        );
        for (const [i, pair] of answers.entries()) {
          const seen = JSON.stringify(pair.map((answer) => [answer?.status, refusalOf(answer)]));
          const served = pair.filter((answer) => answer?.status === 200);
          expect(served.length, seen).toBeGreaterThan(0);
          expect(new Set(served.map((answer) => answer!.body)).size, seen).toBe(1);
          if (i % 2 === 0) expect(served.length, seen).toBe(2);
          else expect(served.length, seen).toBe(1);
        }
        const charged = (await chain.balance(chain.terms.payTo)) - before;
        expect(charged).toBe(PRICE * BigInt(PAYERS));
      }
      const rows = await sellers[0]!.rows();
      expect(rows).toHaveLength(ROUNDS * PAYERS);
      expect(rows.filter(({ state }) => state !== 3)).toEqual([]);
    },
    ROUNDS * 10_000,
  );

  test('behavior: payments claimed by killed servers are taken over after their leases', async () => {
    const [killed, other] = sellers as [Seller, Seller];
    const third = await startSeller(database(), chain);
    sellers.push(third);
    const kept = [sign(0, true), sign(1, false), sign(2, false)];
    const claimed = sign(3, true);
    const all = [...kept, claimed];
    const before = await Promise.all(all.map(({ payer }) => chain.balance(lower(payer.address))));
    await killed.arm('after storing the answer', kept.length);
    await third.arm('after the claim', 1);
    await Promise.all(kept.map((request) => sendSigned(killed.url, request)));
    await sendSigned(third.url, claimed);
    expect([await killed.child.exit, await third.child.exit]).toEqual([null, null]);

    // The leases have not expired, so no other process touches the payments.
    const early = await sendSigned(other.url, kept[1]!);
    expect([503, 402]).toContain(early?.status);
    // The third client never returns.
    const retried = [kept[0]!, kept[1]!, claimed];
    const answers = await Promise.all(retried.map((request) => retrySigned(other.url, request)));
    expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200]);
    expect(answers[0]?.body).toContain(`"${killed.life}"`);
    expect(answers[2]?.body).toContain(`"${other.life}"`);
    const after = await Promise.all(all.map(({ payer }) => chain.balance(lower(payer.address))));
    expect(before.map((balance, i) => balance - after[i]!)).toEqual([PRICE, PRICE, 0n, PRICE]);
    // The payment is not charged yet but can be until it expires, so it stays open.
    const open = (await other.list()).filter((line) => line.startsWith('open')).join();
    expect(open).toContain(kept[2]!.nonce);
  });
});
