import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, createMemoryStore, createPayer, type Payer } from '@assay/client';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { readOperations, readOwnDocument } from './apiOperations.ts';
import type { AgentBudget } from './budget.ts';
import { createMcp } from './createMcp.ts';

const ASSET = `0x${'0a'.repeat(20)}`;
const PAY_TO = `0x${'0b'.repeat(20)}`;
const [PRICE, HIGHER, CAP] = [50_000n, 250_000n, 300_000n];

/** Charges one price, then a higher one once the first is signed; `bills` are the prices of the first requests, null if free. */
async function openSeller(bills: readonly (bigint | null)[] = []) {
  const own = await readOwnDocument();
  /** The amount of each received payment. */
  const signed: bigint[] = [];
  const prices = [...bills];
  const server = http.createServer((request, response) => {
    if (request.url === '/openapi.json') {
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify(own));
    }
    const header = request.headers['x-payment'] ?? request.headers['payment-signature'];
    if (header !== undefined) {
      const { payload } = JSON.parse(Buffer.from(String(header), 'base64').toString());
      signed.push(BigInt(payload.authorization.value));
    }
    const price = header === undefined && prices.length > 0 ? prices.shift()! : PRICE;
    if (price === null) {
      response.setHeader('content-type', 'application/json');
      return response.end('{}');
    }
    const invoice = {
      x402Version: 2,
      error: header === undefined ? 'payment_required' : 'invalid_amount',
      resource: { url: `http://${request.headers.host}${request.url}` },
      accepts: [
        {
          ...{ scheme: 'exact', network: 'eip155:8453', asset: ASSET, payTo: PAY_TO },
          amount: String(header === undefined ? price : HIGHER),
          maxTimeoutSeconds: 60,
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    };
    const text = Buffer.from(JSON.stringify(invoice)).toString('base64');
    response.writeHead(402, { 'payment-required': text, 'content-type': 'application/json' });
    response.end(JSON.stringify(invoice));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, signed };
}

async function openAgent(host: string, isGuarded: boolean, agree: (message: string) => boolean) {
  const client = createClient({ url: `http://${host}`, retries: 0 });
  const signer = privateKeyToAccount(generatePrivateKey()) as never;
  const store = createMemoryStore();
  const payerWith = (perCall: bigint): Payer =>
    createPayer({
      ...{ signer, store, retries: 0 },
      budget: { perCall, total: 10n ** 9n },
      allow: {
        ...{ networks: ['eip155:8453'], assets: [ASSET], recipients: [PAY_TO], hosts: [host] },
        allowLoopback: true,
      },
    });
  const payer = payerWith(CAP);
  const within = isGuarded ? payerWith : () => payer;
  const budget: AgentBudget = { payer, within, perCall: CAP, perDay: 10n ** 9n };
  const operations = await readOperations(client, await readOwnDocument());
  const onError = (error: unknown) => expect(error).toBeUndefined();
  const create = createMcp({ client, operations, version: '0.0.0', budget, onError });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const info = { name: 'test', version: '1.0.0' };
  const agent = new Client(info, { capabilities: { elicitation: { form: {} } } });
  agent.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: { pay: agree(params.message) },
  }));
  await create({ maySpend: true }).connect(there);
  await agent.connect(here);
  onTestFinished(() => agent.close());
  return agent;
}

const CALL = { name: 'assay_risk_node', arguments: { nodeId: 'chain:base' } };

test('behavior: a seller that wants more than a person agreed to gets no signature for it', async () => {
  const seller = await openSeller();
  const messages: string[] = [];
  const agent = await openAgent(seller.host, true, (message) => {
    messages.push(message);
    return message.includes(' 0.05 USD ');
  });
  const result = await agent.callTool(CALL);
  expect(result).toMatchObject({ isError: true });
  expect(messages.map((message) => /Pay (\S+) USD/.exec(message)?.[1])).toEqual(['0.05', '0.25']);
  expect(seller.signed.length).toBeGreaterThan(0);
  for (const value of seller.signed) expect(value).toBe(PRICE);
});

test('behavior: without a cap at the approved price, it would', async () => {
  const seller = await openSeller();
  const agent = await openAgent(seller.host, false, () => true);
  await agent.callTool(CALL);
  expect(seller.signed).toContain(HIGHER);
});

test.each([
  ['quotes more than the operator allows, and then less', CAP + 1n],
  ['quotes nothing, and then bills', null],
])('behavior: a seller that %s is not paid without approval', async (_, first) => {
  const seller = await openSeller([first]);
  const messages: string[] = [];
  const agent = await openAgent(seller.host, true, (message) => {
    messages.push(message);
    return false;
  });
  const result = await agent.callTool(CALL);
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: 'nothing was paid: the user declined' }],
  });
  expect(messages).toEqual([expect.stringContaining('Pay 0.05 USD to ')]);
  expect(seller.signed).toEqual([]);
});

test('error: a price above the cap of the operator is reported with that cap', async () => {
  const seller = await openSeller([CAP + 1n, CAP + 1n]);
  const agent = await openAgent(seller.host, true, () => true);
  const { content } = await agent.callTool(CALL);
  expect((content as { text: string }[])[0]!.text).toContain(
    `the price is ${CAP + 1n} base units, but the operator's budget (call) allows ${CAP}`,
  );
  expect(seller.signed).toEqual([]);
});
