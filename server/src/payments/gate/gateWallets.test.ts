import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { concat, encodeAbiParameters } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import {
  earned,
  expectInvoice,
  expectPaid,
  header,
  openPaidTestServer,
} from '../../../test/paidTestServer.ts';
import { useShop, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';

const chain = useTokenChain({ payers: 2 });
const { open } = useDatabase('pglite');
const shop = useShop({ open, chain });
let wallet: Address;
beforeAll(async () => {
  const owner = encodeAbiParameters([{ type: 'address' }], [chain.payers[0]!.address]);
  const { contractAddress } = await chain.send(
    undefined,
    concat([chain.artifacts.ContractWallet!.bytecode, owner]),
  );
  wallet = lower(contractAddress);
  await chain.mint(wallet, 10n * PRICE);
}, 60_000);

describe('gate and smart wallets', () => {
  test('default: a contract wallet pays (EIP-1271)', async () => {
    const payment = chain.pay({ from: wallet });
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectPaid(result, payment);
    expect(got).toBe(PRICE);
    expect(await shop.row(payment)).toMatchObject({ state: 'settled', payer: wallet });
    expectInvoice(await shop.buy(header(chain, payment)), 'payment_already_used');
  });

  const bogus: Record<string, () => Hex> = {
    'another key': () => chain.pay({ from: wallet, key: chain.payers[1]!.privateKey }).signature,
    nothing: () => '0x00',
    'a wrapper of nothing (EIP-6492)': () => `0x${'6492'.repeat(16)}`,
    'a wrapper around an unknown factory': () => {
      const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const;
      const wrapped = encodeAbiParameters(types, [chain.payers[1]!.address, '0x', '0x1234']);
      return `${wrapped}${'6492'.repeat(16)}`;
    },
    'a long text': () => `0x${'ab'.repeat(3_000)}`,
  };
  test.each(Object.entries(bogus))('error: signed by %s', async (_name, sign) => {
    const { authorization } = chain.pay({ from: wallet });
    const payment = { authorization, signature: sign() };
    const runs = shop.runs();
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectInvoice(result, 'invalid_signature');
    expect(got).toBe(0n);
    expect(shop.runs()).toBe(runs);
    expect(await shop.row(payment)).toBeUndefined();
  });

  test('error: claims in the name of precompiles, the token, and the zero address', async () => {
    const places: Address[] = [
      ...[0, 1, 2, 4, 5].map((n): Address => `0x${String(n).padStart(40, '0')}`),
      chain.terms.asset,
      chain.multicall,
    ];
    for (const from of places) {
      const payment = chain.pay({ from });
      expectInvoice(await shop.buy(header(chain, payment)), 'invalid_signature');
      expect(await shop.row(payment)).toBeUndefined();
    }
  });
});

describe('gate and a node whose errors contain secrets', () => {
  const SECRET = 'hunter2';
  /** Starts an endpoint that forwards requests, and rejects some methods with a text that contains its address. */
  async function createTalker(): Promise<{
    url: string;
    refuse: Set<string>;
    close(): Promise<void>;
  }> {
    const refuse = new Set<string>();
    const server = http.createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks).toString();
        response.setHeader('content-type', 'application/json');
        const parsed = JSON.parse(body) as
          | { id: number; method: string }
          | { id: number; method: string }[];
        const message = `request to https://node.example/v2/${SECRET} failed: status 401`;
        const answers: unknown[] = [];
        for (const call of Array.isArray(parsed) ? parsed : [parsed]) {
          const error = { code: -32_000, message };
          const answer = refuse.has(call.method)
            ? { jsonrpc: '2.0', id: call.id, error }
            : JSON.parse(await chain.chain.handle(JSON.stringify(call)));
          answers.push(answer);
        }
        response.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]));
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/v2/${SECRET}`,
      refuse,
      close: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test.each([
    'eth_call',
    'eth_getBlockByNumber',
    'eth_sendRawTransaction',
    'eth_getTransactionReceipt',
  ])(
    'behavior: %s is rejected: none of its text is visible',
    async (method) => {
      const node = await createTalker();
      const seller = await openPaidTestServer({ store: await open(), chain, rpcUrl: node.url });
      try {
        node.refuse.add(method);
        const payments = [chain.pay(), chain.pay({ from: wallet })];
        const { earned: got } = await earned(chain, async () => {
          for (const payment of payments) {
            const waiting = seller.buy(header(chain, payment));
            // Without receipts, it would wait too long.
            if (method === 'eth_getTransactionReceipt') {
              await expect.poll(async () => (await seller.row(payment))?.state).toBe('settling');
              node.refuse.clear();
            }
            const reply = await waiting;
            expect([200, 402, 503]).toContain(reply.status);
            const seen = JSON.stringify(reply.headers) + reply.body.toString();
            expect(seen).not.toMatch(/hunter2|node\.example|status 401/);
            if (reply.status === 402) {
              expectInvoice(reply, (JSON.parse(reply.body.toString()) as { error: string }).error);
            }
            if (reply.status !== 200) expect(reply.headers['payment-response']).toBeUndefined();
            node.refuse.clear();
            expectPaid(
              reply.status === 200 ? reply : await seller.buy(header(chain, payment)),
              payment,
            );
            node.refuse.add(method);
          }
        });
        expect(got).toBe(2n * PRICE);
        const reported = seller.errors.map((error) => String((error as Error).stack));
        expect(reported.join('\n')).not.toMatch(/hunter2|node\.example/);
      } finally {
        node.refuse.clear();
        await seller.close();
        await node.close();
      }
    },
    60_000,
  );
});
