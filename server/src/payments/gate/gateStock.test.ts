import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  earned,
  expectInvoice,
  expectPaid,
  header,
  openShop,
  type Shop,
} from '../../../test/shop.ts';
import { createStockFacilitator, type StockFacilitator } from '../../../test/stockFacilitator.ts';
import { createTokenChain, PRICE, type TokenChain } from '../../../test/tokenChain.ts';
import type { Hex } from '../../domain/hex.ts';
import { addressOf } from '../authorization/curve.ts';
import { repeat } from '../settlement/repeat.ts';

const AT_ONCE = 20;
const POOR: Hex = `0x${'42'.repeat(32)}`;

let chain: TokenChain;
let database: TestDatabase;
let service: StockFacilitator;
let shop: Shop;
let stop: () => Promise<void>;
beforeAll(async () => {
  chain = await createTokenChain({ payers: 1 });
  // It looks for receipts at each new block only.
  stop = repeat(() => chain.mine(), { everyMs: 100, onError: () => {} });
  database = await createDatabase('pglite');
  service = await createStockFacilitator({ rpcUrl: chain.url, key: chain.keys[0]! });
  shop = await openShop({
    store: await database.open(),
    chain,
    payments: {
      facilitator: {
        kind: 'remote',
        url: service.url,
        headers: {},
        timeoutSeconds: 30,
        factories: [],
      },
    },
  });
}, 60_000);
afterAll(async () => {
  await shop?.close();
  await service?.close();
  await database?.drop();
  await stop?.();
  await chain?.close();
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

  // With one key it gives several the same nonce, and all but one of these fail at first.
  test(`behavior: ${AT_ONCE} purchases at once: all are settled, each once`, async () => {
    const payments = Array.from({ length: AT_ONCE }, () => chain.pay());
    const { result, earned: got } = await earned(chain, () =>
      Promise.all(payments.map((payment) => shop.buy(header(chain, payment)))),
    );
    for (const [i, reply] of result.entries()) expectPaid(reply, payments[i]!);
    expect(got).toBe(BigInt(AT_ONCE) * PRICE);
    expect(shop.runs()).toBe(AT_ONCE + 3);
    for (const payment of payments) {
      expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
    }
  }, 60_000);
});
