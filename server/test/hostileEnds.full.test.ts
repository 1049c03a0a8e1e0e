import { createClient } from '@assay/client';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { ENDS } from '../../client/test/hostileModes.ts';
import type { Sale } from '../../client/test/hostileSeller.ts';
import { sendJson } from '../../client/test/localServer.ts';
import type { Terminal } from '../src/commands/command.ts';
import { openBudget } from '../src/commands/read/agentBudget.ts';
import { readOperations, readOwnDocument } from '../src/mcp/apiOperations.ts';
import { createMcp } from '../src/mcp/createMcp.ts';
import { openSellerAtTerminal, type SellerAtTerminal } from './sellerAtTerminal.ts';
import type { TokenChain } from './tokenChain.ts';

/** Nothing is settled here, so the case that needs a chain is left out. */
const NAMES = Object.keys(ENDS).filter((name) => name !== 'charged and denied');
const CALLS = 3;

let shop: SellerAtTerminal;
afterEach(() => shop.close());

async function openShop(name: string): Promise<void> {
  const own = await readOwnDocument();
  shop = await openSellerAtTerminal((sale: Sale) => {
    if (sale.request.url === '/openapi.json') return sendJson(sale.response, own);
    if (!sale.payment) return sale.bill();
    const around = {
      chain: undefined as unknown as TokenChain,
      cash: async () => undefined,
      elsewhere: shop.seller.url,
    };
    return void ENDS[name]!(sale, around);
  });
}

/** Calls the tool in a process with a budget. Each process has its own payer; all use the same files. */
async function callTool(): Promise<string> {
  const client = createClient({ url: shop.seller.url, retries: 0 });
  const terminal = { env: shop.env } as unknown as Terminal;
  const settings = {
    ...{ most: 60_000n, daily: 1_000_000n, payTo: shop.payTo, allowLoopback: true },
    ...{ keyFile: undefined, keystore: undefined, rpc: undefined },
  };
  const budget = await openBudget(client, settings, terminal);
  const operations = await readOperations(client, await readOwnDocument());
  const onError = (error: unknown) => expect(error).toBeUndefined();
  const create = createMcp({ client, operations, version: '0.0.0', budget, onError });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const agent = new Client({ name: 'test', version: '1.0.0' });
  await create({ maySpend: true }).connect(there);
  await agent.connect(here);
  try {
    const result = await agent.callTool({ name: 'assay_risk_schema', arguments: {} });
    expect(result.isError).toBe(true);
    return JSON.stringify(result.content);
  } finally {
    await agent.close();
  }
}

function nonces(): Set<string> {
  return new Set(shop.seller.payments.map(({ authorization }) => authorization.nonce));
}

describe.each(NAMES)('a seller that keeps a payment: %s', (name) => {
  test('behavior: the command line sends the same payment each time, and reports it', async () => {
    await openShop(name);
    for (let call = 0; call < CALLS; call++) {
      const { code, err } = await shop.buy('--yes --max-usd 0.06');
      const [open, ...others] = await shop.list();
      expect(others).toEqual([]);
      expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining(open!.id!) });
    }
    expect(nonces().size).toBe(1);
  });

  test("behavior: an agent's tools do the same", async () => {
    await openShop(name);
    for (let call = 0; call < CALLS; call++) {
      const text = await callTool();
      const [open, ...others] = await shop.list();
      expect(others).toEqual([]);
      expect(text).toContain(open!.id!);
    }
    expect(nonces().size).toBe(1);
  });
});
