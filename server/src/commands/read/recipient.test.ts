import { afterEach, describe, expect, test } from 'vitest';
import type { Sale } from '../../../../client/test/hostileSeller.ts';
import {
  openSellerAtTerminal,
  recipientsOf,
  type SellerAtTerminal,
} from '../../../test/sellerAtTerminal.ts';

const OTHER = '0x2222222222222222222222222222222222222222';
let shop: SellerAtTerminal;
afterEach(() => shop.close());

const honest = ({ payment, bill, deliver }: Sale) => (payment ? deliver() : bill());
/** Requests payment to another recipient than before. */
const changed = ({ payment, bill, deliver }: Sale) =>
  payment ? deliver() : bill({ way: { payTo: OTHER } });

/** Opens a seller that was paid once and then names another recipient. */
async function openChanged(): Promise<void> {
  shop = await openSellerAtTerminal(honest);
  expect((await shop.buy()).code).toBe(0);
  shop.sell(changed);
}

describe('the recipient of a host', () => {
  test('default: the first payment shows it, later ones to it show no message', async () => {
    shop = await openSellerAtTerminal(honest);
    const first = await shop.buy();
    expect(first.code).toBe(0);
    expect(first.err).toBe(
      `First payment to ${shop.seller.host}. Its recipient ${shop.payTo} is saved; a different recipient will need your confirmation.\n`,
    );
    expect(await shop.buy()).toMatchObject({ code: 0, err: '' });
    expect(recipientsOf(shop.seller.payments)).toEqual([shop.payTo, shop.payTo]);
  });

  test('behavior: it is remembered even if the seller never responds', async () => {
    shop = await openSellerAtTerminal(({ payment, bill, response }) =>
      payment ? response.writeHead(404).end('{}') : bill(),
    );
    expect((await shop.buy()).code).toBe(6);
    shop.sell(changed);
    const [{ id }] = (await shop.list()) as [{ id: string }];
    const other = await shop.buy(`--yes --max-usd 0.05 --replaces ${id}`);
    expect(other).toMatchObject({
      code: 5,
      err: expect.stringContaining('before; nothing was paid'),
    });
    expect(recipientsOf(shop.seller.payments)).toEqual([shop.payTo]);
  });

  test('error: without a terminal, another recipient is not paid, and the text explains what to do', async () => {
    await openChanged();
    const refused = await shop.buy();
    expect(refused).toEqual({
      code: 5,
      out: '',
      err: `assay: ${shop.seller.host} requests payment to ${OTHER}, but was paid at ${shop.payTo} before; nothing was paid: if you trust the new recipient, add --accept-pay-to ${OTHER}\n`,
    });
    expect(recipientsOf(shop.seller.payments)).toEqual([shop.payTo]);
    // With the check off, the new recipient is paid, and it is the remembered one from then on.
    const flags = '--yes --max-usd 0.05';
    expect((await shop.buy(`${flags} --accept-pay-to ${OTHER}`)).code).toBe(0);
    expect(await shop.buy()).toMatchObject({ code: 0, err: '' });
    expect(recipientsOf(shop.seller.payments)).toEqual([shop.payTo, OTHER, OTHER]);
    shop.sell(honest);
    expect((await shop.buy()).code).toBe(5);
  });

  test('behavior: on a terminal, another recipient needs a confirmation, also with --yes', async () => {
    await openChanged();
    for (const flags of ['', '--yes --max-usd 0.05']) {
      const refused = await shop.buy(flags, 'n');
      expect(refused).toMatchObject({ code: 5, out: '' });
      expect(refused.err).toContain(
        `${shop.seller.host} was paid at ${shop.payTo} so far. Pay 0.05 USD (USDC on Base) to ${OTHER} instead? [y/N]`,
      );
    }
    expect(recipientsOf(shop.seller.payments)).toEqual([shop.payTo]);
    expect((await shop.buy('', 'y')).code).toBe(0);
    expect(recipientsOf(shop.seller.payments)).toEqual([shop.payTo, OTHER]);
  });

  test('behavior: an open payment is signed again for an accepted recipient, with the same nonce', async () => {
    shop = await openSellerAtTerminal(({ payment, bill, response }) =>
      payment ? response.writeHead(404).end('{}') : bill(),
    );
    expect((await shop.buy()).code).toBe(6);
    shop.sell(({ payment, bill, deliver }) =>
      payment?.authorization.to.toLowerCase() === OTHER
        ? deliver()
        : bill({ way: { payTo: OTHER } }),
    );
    const refused = await shop.buy();
    expect(refused.code).toBe(6);
    expect(refused.err).toContain(`add --accept-pay-to ${OTHER}`);
    expect((await shop.buy(`--yes --max-usd 0.05 --accept-pay-to ${OTHER}`)).code).toBe(0);
    const nonces = shop.seller.payments.map(({ authorization }) => authorization.nonce);
    expect(new Set(nonces).size).toBe(1);
  });

  test('error: --pay-to and --accept-pay-to allow no other address', async () => {
    shop = await openSellerAtTerminal(honest);
    for (const flag of ['--pay-to', '--accept-pay-to']) {
      const refused = await shop.buy(`--yes --max-usd 0.05 ${flag} ${OTHER}`);
      expect(refused).toMatchObject({ code: 5, out: '' });
      expect(refused.err).toContain(
        `requests payment to ${shop.payTo}, but only ${OTHER} is allowed`,
      );
    }
    expect(shop.seller.payments).toEqual([]);
  });
});
