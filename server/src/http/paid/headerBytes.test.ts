import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { paymentsConfig } from '../../../test/paidServer.ts';
import { expectInvoice, expectPaid, header, type Reply } from '../../../test/paidTestServer.ts';
import { useShop, useTokenChain } from '../../../test/paidTests.ts';
import { longestUrl, soldRoutes } from '../../../test/soldRoutes.ts';
import { MAX_NAMED_BYTES } from '../../config/clashes.ts';
import { failedReceipt } from '../../payments/gate/deliveries.ts';
import { REFUSAL_CODES } from '../../payments/gate/refusalCodes.ts';
import { MAX_HEAD_BYTES, withRequestId } from './paidHeaders.ts';

/** The longest id that a client can choose. */
const LONGEST_ID = 'x'.repeat(64);
/** The longest public URL that the configuration allows. */
const PUBLIC_URL = `https://${'risk-data'.repeat(6)}.vaults.example.com/`.padEnd(
  MAX_NAMED_BYTES - 'USD Coin2'.length,
  'x',
);

const chain = useTokenChain({ payers: 1 });
const routes = soldRoutes();
const longestCode = REFUSAL_CODES.map(({ code }) => code).reduce((longest, code) =>
  code.length > longest.length ? code : longest,
);

describeAnyEngine('headers of paid routes', (open) => {
  const publicUrl = () => PUBLIC_URL;
  const shop = useShop({ open, chain, routes, publicUrl });
  let names = 0;

  test.each(routes)(
    'default: $path has less than 3,500 bytes of them in every response',
    async ({ path, price }) => {
      const asked = longestUrl(path);
      expect(asked).toHaveLength(1_500);
      const value = paymentsConfig(chain).prices[price];
      const say = async (what: string, payment?: string, url = asked): Promise<Reply> => {
        const reply = await ask(shop.url, url, payment);
        expect(reply.headBytes, `${what}: ${reply.status}`).toBeLessThan(MAX_HEAD_BYTES);
        return reply;
      };
      const expected = { path: asked, amount: value, publicUrl: PUBLIC_URL };
      const quote = await say('quote');
      expectInvoice(quote, 'payment_required', expected);
      expect(quote.headers['x-request-id']).toBe(LONGEST_ID);
      expectInvoice(await say('quote from memory'), 'payment_required', expected);
      const payment = chain.pay({ value });
      const text = header(chain, payment, { identifier: `header_bytes_${names++}_0000000000` });
      expectPaid(await say('paid', text), payment);
      expectPaid(await say('delivered again', text), payment);
      const unnamed = header(chain, payment);
      expectInvoice(await say('refused', unnamed), 'payment_already_used', expected);
      expect(await say('undecodable', '?')).toMatchObject({ status: 400 });
      const other = longestUrl(path, asked.length - 1);
      expect(await say('conflict', text, other)).toMatchObject({ status: 409 });
      expect(await say('too long', undefined, `${asked}x`)).toMatchObject({ status: 414 });
      // After a failed settlement, an invoice comes with a receipt, and a service may use an additional code.
      const code = 'x'.repeat(Math.max(64, longestCode.length));
      const receipt = failedReceipt(chain.terms, payment.authorization.from, code);
      const longer = Math.ceil(((code.length - 'payment_required'.length) * 4) / 3) + 4;
      const invoice = quote.headers['payment-required'] + 'x'.repeat(longer);
      // The id would exceed the limit, so it is omitted.
      const headers = {
        ...quote.headers,
        'payment-required': invoice,
        'payment-response': receipt,
      };
      const { 'x-request-id': _, ...sent } = headers as unknown as Record<string, string>;
      const head = withRequestId(sent, LONGEST_ID);
      expect(bytesOf(sent)).toBeGreaterThan(MAX_HEAD_BYTES - LONGEST_ID.length - 30);
      expect(head).not.toHaveProperty('x-request-id');
      expect(bytesOf(head)).toBeLessThan(MAX_HEAD_BYTES);
    },
  );
});

/** Counts the bytes of a 402 with these headers, including the status line. */
function bytesOf(headers: Readonly<Record<string, string | number>>): number {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${402} Payment Required\r\n${lines.join('')}\r\n`.length;
}

/** Sends one request on a new connection, and counts the bytes of the response head. */
function ask(url: string, path: string, payment?: string): Promise<Reply & { headBytes: number }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let whole = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('data', (part) => {
      whole = Buffer.concat([whole, part]);
      const headBytes = whole.indexOf('\r\n\r\n') + 4;
      if (headBytes < 4) return;
      const [first = '', ...lines] = whole.subarray(0, headBytes).toString().trim().split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => {
          const at = line.indexOf(': ');
          return [line.slice(0, at).toLowerCase(), line.slice(at + 2)];
        }),
      );
      const body = whole.subarray(headBytes);
      if (body.length < Number(headers['content-length'])) return;
      socket.destroy();
      resolve({ status: Number(first.split(' ')[1]), headers, body, headBytes });
    });
    const paying = payment === undefined ? '' : `payment-signature: ${payment}\r\n`;
    // Keeps the connection open, because with `connection: close` a response has fewer headers.
    const id = `x-request-id: ${LONGEST_ID}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n${id}${paying}\r\n`);
  });
}
