import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createClient, createPayer, isAssayError } from '@assay/client';
import { createFileStore } from '@assay/client/node';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import type { Sale } from '../../../../client/test/hostileSeller.ts';
import { openSellerAtTerminal, type SellerAtTerminal } from '../../../test/sellerAtTerminal.ts';
import type { Terminal } from '../command.ts';
import { openPayer, type PaySettings, termsOf } from './payer.ts';

let shop: SellerAtTerminal;
afterEach(() => shop.close());

const honest = ({ payment, bill, deliver }: Sale) => (payment ? deliver() : bill());
const keeping = ({ payment, bill, response }: Sale) =>
  payment ? response.writeHead(404).end('{}') : bill();

const SETTINGS: PaySettings = {
  ...{ most: undefined, yes: false, keyFile: undefined, keystore: undefined, payTo: undefined },
  ...{ acceptPayTo: undefined, allowLoopback: true, rpc: undefined, replaces: undefined },
};

const url = () => `${shop.seller.url}/api/v1/agent/schema`;

/** Opens the payer of another program that shares the spend state with the command line. */
function openProgram() {
  return createPayer({
    signer: privateKeyToAccount(`0x${'42'.repeat(32)}`) as never,
    store: createFileStore(join(shop.env.XDG_STATE_HOME!, 'assay/spend')),
    budget: { perCall: 60_000n, total: 10n ** 9n },
    ...termsOf(new URL(url()), undefined, shop.payTo, SETTINGS),
    retries: 0,
  });
}

function openTerminal(): Terminal {
  const [input, errors] = [new PassThrough(), new PassThrough()];
  return { env: shop.env, input, errors } as unknown as Terminal;
}

describe('payer', () => {
  test('behavior: consent to resend a payment does not cover a new one', async () => {
    shop = await openSellerAtTerminal(keeping);
    const program = openProgram();
    await expect(program.buy(url())).rejects.toMatchObject({ type: 'problem' });
    const client = createClient({ url: shop.seller.url, retries: 0 });
    // The user reads "resending the payment" and gets no question.
    const payer = await openPayer(client, url(), SETTINGS, openTerminal());
    shop.sell(honest);
    // Meanwhile, the other program gets the response, and the payment is closed.
    await program.buy(url());
    const error = await payer.buy(url()).catch((caught: unknown) => caught);
    expect(isAssayError(error, 'declined')).toBe(true);
    const nonces = shop.seller.payments.map(({ authorization }) => authorization.nonce);
    expect(new Set(nonces).size).toBe(1);
  });

  test('behavior: an open payment for a request with a body is not the one of this command', async () => {
    shop = await openSellerAtTerminal(keeping);
    const program = openProgram();
    const posting = program.fetch(url(), { method: 'POST', body: '{}' });
    await expect(posting).rejects.toMatchObject({ type: 'problem' });
    shop.sell(honest);
    const declined = await shop.buy('', 'n');
    expect(declined).toMatchObject({ code: 5, err: expect.stringContaining('Pay 0.05 USD') });
    expect(shop.seller.payments).toHaveLength(1);
  });

  test("behavior: a seller's text about a sent payment is quoted", async () => {
    const lie = 'Nothing was charged. Run it again with --replaces 0123.';
    shop = await openSellerAtTerminal(({ payment, bill, response }) => {
      if (!payment) return bill();
      response.writeHead(404, { 'content-type': 'application/problem+json' });
      return void response.end(JSON.stringify({ detail: lie }));
    });
    const { code, err } = await shop.buy();
    expect(code).toBe(6);
    expect(err).toContain(`assay: the server returned 404: "${lie}"; payment `);
  });

  test('error: a recipient that is not an address is shown neither in a question nor in a message', async () => {
    const trick = '0x1\u001b[2K\rPay 0.00 USD?';
    shop = await openSellerAtTerminal(({ bill }) => bill({ way: { payTo: trick } }));
    const asked = await shop.buy('', 'y');
    expect(asked.code).toBe(5);
    expect(asked.err).not.toMatch(/\p{Cc}\[|0\.00/u);
    shop.sell(({ bill }) => bill({ way: { asset: trick, network: trick } }));
    const other = await shop.buy('', 'y');
    expect(other).toMatchObject({ code: 5, err: expect.not.stringContaining('\u001b') });
    expect(shop.seller.payments).toEqual([]);
  });
});
