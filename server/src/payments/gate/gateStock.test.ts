import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import {
  earned,
  expectInvoice,
  expectPaid,
  header,
  openPaidTestServer,
  type Reply,
} from '../../../test/paidTestServer.ts';
import { useResource, useTokenChain } from '../../../test/paidTests.ts';
import { createStockFacilitator } from '../../../test/stockFacilitator.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import type { Hex } from '../../domain/hex.ts';
import { pause } from '../../runtime/pause.ts';
import { addressOf } from '../authorization/curve.ts';
import { repeat } from '../settlement/repeat.ts';

const AT_ONCE = 20;
const POOR: Hex = `0x${'42'.repeat(32)}`;

const chain = useTokenChain({ payers: 1 });
// The facilitator checks for receipts only at each new block.
useResource(() => ({ close: repeat(() => chain.mine(), { everyMs: 100, onError: () => {} }) }));
const { open } = useDatabase('pglite');
const service = useResource(() =>
  createStockFacilitator({ rpcUrl: chain.url, key: chain.keys[0]! }),
);
const shop = useResource(async () => {
  const { url } = service;
  const facilitator = {
    kind: 'remote',
    url,
    headers: {},
    timeoutSeconds: 30,
    confirm: 'chain',
    factories: [],
  } as const;
  return openPaidTestServer({ store: await open(), chain, payments: { facilitator } });
});

describe("gate and the protocol's own facilitator", () => {
  test('default: one purchase after the other', async () => {
    const { earned: got } = await earned(chain, async () => {
      for (let i = 0; i < 3; i++) {
        const payment = chain.pay();
        expectPaid(await shop.buy(header(chain, payment)), payment);
      }
    });
    expect(got).toBe(3n * PRICE);
    const poor = chain.pay({ from: addressOf(POOR), key: POOR });
    const refused = await shop.buy(header(chain, poor));
    expectInvoice(refused, 'invalid_exact_evm_insufficient_balance', { ofService: true });
  });

  /**
   * Repeats the request while its payment's status is unknown, as a client does, because the service can report a
   * failure for a settled payment.
   */
  async function buyPatiently(text: string): Promise<Reply> {
    const reply = await shop.buy(text);
    if (reply.status !== 503) return reply;
    expect(reply.body.toString()).toContain('payment_status_unknown');
    await pause(500);
    return buyPatiently(text);
  }

  // With one key, the service gives several transactions the same nonce, and all but one fail at first.
  test(`behavior: ${AT_ONCE} purchases at once: all are settled, each once`, async () => {
    const payments = Array.from({ length: AT_ONCE }, () => chain.pay());
    const { result, earned: got } = await earned(chain, () =>
      Promise.all(payments.map((payment) => buyPatiently(header(chain, payment)))),
    );
    for (const [i, reply] of result.entries()) expectPaid(reply, payments[i]!);
    expect(got).toBe(BigInt(AT_ONCE) * PRICE);
    expect(shop.runs()).toBe(AT_ONCE + 3);
    for (const payment of payments) {
      expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
    }
  }, 60_000);
});
