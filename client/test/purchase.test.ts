import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { NotFound } from '../../server/src/http/problem.ts';
import { PRICE } from '../../server/test/tokenChain.ts';
import {
  agentNode,
  agentSearch,
  type Client,
  createClient,
  createMemoryStore,
  createPayer,
  type RiskNode,
} from '../src/index.ts';
import { openRealSeller, type RealSeller } from './realSeller.ts';

/** Node ids with this prefix are not sold. */
const MISSING = 'missing';

let seller: RealSeller;
let client: Client;
let made = 0;

beforeAll(async () => {
  seller = await openRealSeller({
    // From the third call on, the price is five times higher, so each test has its own payer.
    payments: { escalation: { firstStepCalls: 2, factor: 5, maxFactor: 5 } },
    async answer({ path, query }) {
      if (path.nodeId?.startsWith(MISSING)) throw new NotFound('there is no such node');
      return { id: path.nodeId, q: query.get('q'), made: ++made };
    },
  });
  client = createClient({ url: seller.server.url });
});
afterAll(() => seller?.close());

/** Returns the amount that the seller earned during the work. */
async function earnedBy(work: () => Promise<unknown>): Promise<bigint> {
  const before = await seller.earned();
  await work();
  return (await seller.earned()) - before;
}

describe('a purchase from the server itself', () => {
  test('default: paid, settled on chain, reported, and delivered again for free', async () => {
    const payer = createPayer(seller.payerOptions(0));
    const earned = await earnedBy(async () => {
      const { answer, payment } = await agentNode(client, payer, { nodeId: 'pool:base:0x1' });
      expectTypeOf(answer).toEqualTypeOf<RiskNode>();
      expect(answer).toMatchObject({ id: 'pool:base:0x1' });
      const { transaction } = payment!.receipt!;
      const { rpc } = seller.chain.chain;
      expect(await rpc('eth_getTransactionReceipt', [transaction])).toMatchObject({
        status: '0x1',
      });
      expect(await payer.again(payment!.id)).toEqual(answer);
    });
    expect(earned).toBe(PRICE);
    await expect(payer.again('nothing')).rejects.toMatchObject({ type: 'config' });
  });

  test('behavior: parameters in any encoding', async () => {
    const payer = createPayer(seller.payerOptions(1));
    const q = 'a+b & c/d?%é:"';
    expect(await agentSearch(client, payer, { q, limit: 3 })).toMatchObject({
      answer: { q: [q] },
      payment: { amount: 1_000n },
    });
  });

  test('behavior: a higher price is signed again once, with the same nonce', async () => {
    let signed = 0;
    const options = seller.payerOptions(2);
    const { signer } = options;
    const payer = createPayer({
      ...options,
      signer: {
        address: signer.address,
        signTypedData: (data) => {
          signed++;
          return signer.signTypedData(data);
        },
      },
    });
    const paid: (bigint | undefined)[] = [];
    const earned = await earnedBy(async () => {
      for (const nodeId of ['1', '2', '3']) {
        paid.push((await agentNode(client, payer, { nodeId })).payment?.amount);
      }
    });
    expect(paid).toEqual([PRICE, PRICE, 5n * PRICE]);
    expect(signed).toBe(4);
    expect(earned).toBe(7n * PRICE);
    expect(await payer.report()).toMatchObject({ spent: 7n * PRICE, reserved: 0n });
  });

  test('behavior: equal concurrent calls are one purchase', async () => {
    const payer = createPayer(seller.payerOptions(3));
    const earned = await earnedBy(async () => {
      const bought = await Promise.all([
        agentSearch(client, payer, { q: 'same' }),
        agentSearch(client, payer, { q: 'same' }),
      ]);
      expect(new Set(bought.map(({ payment }) => payment!.nonce)).size).toBe(1);
    });
    expect(earned).toBe(1_000n);
  });

  test('behavior: payers that share a store share its caps', async () => {
    const store = createMemoryStore();
    const budget = { perCall: PRICE, total: 3n * PRICE };
    const payers = [4, 5].map((key) => createPayer(seller.payerOptions(key, { store, budget })));
    const earned = await earnedBy(async () => {
      const ends = await Promise.allSettled(
        Array.from({ length: 8 }, (_, i) =>
          agentNode(client, payers[i % 2]!, { nodeId: `shared ${i}` }),
        ),
      );
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      for (const end of ends) {
        if (end.status === 'rejected') expect(end.reason).toMatchObject({ cap: 'total' });
      }
    });
    expect(earned).toBe(3n * PRICE);
  });

  test('behavior: a free response frees the reservation at once if the host is trusted', async () => {
    const { host } = new URL(seller.server.url);
    const payer = createPayer(seller.payerOptions(6, { proof: { hosts: [host] } }));
    const nodeId = `${MISSING} a`;
    await expect(agentNode(client, payer, { nodeId })).rejects.toMatchObject({
      type: 'problem',
      status: 404,
    });
    expect(await payer.report()).toMatchObject({ spent: 0n, reserved: 0n, open: [] });
  });

  test('error: a payer without balance gets an error, and nothing is signed twice', async () => {
    const { chain } = seller;
    const poor = { ...seller.payerOptions(6).signer, address: chain.operator };
    const payer = createPayer(seller.payerOptions(6, { signer: poor }));
    await expect(agentNode(client, payer, { nodeId: 'x' })).rejects.toMatchObject({
      type: 'refused',
      code: 'invalid_signature',
    });
    const { open } = await payer.report();
    expect(open).toMatchObject([{ state: 'doubtful', signatures: 1, amount: `${PRICE}` }]);
  });

  test('behavior: an expired payment that the chain proves to be unused is freed', async () => {
    const { chain } = seller;
    const rpc = { 'eip155:8453': chain.url };
    let ahead = 0;
    const budget = { perCall: PRICE, total: 2n * PRICE };
    const options = seller.payerOptions(7, { budget, now: () => chain.now() + ahead });
    const unproven = createPayer(options);
    const payer = createPayer({ ...options, proof: { rpc } });
    await agentNode(client, payer, { nodeId: 'bought' });
    const missing = agentNode(client, payer, { nodeId: `${MISSING} b` });
    await expect(missing).rejects.toMatchObject({ status: 404 });
    const full = { type: 'over_cap', cap: 'total', used: 2n * PRICE };
    await expect(agentNode(client, payer, { nodeId: 'more' })).rejects.toMatchObject(full);
    expect(await payer.review()).toMatchObject([{ outcome: 'open' }]);

    // Expired by the client's clock, but not yet on chain.
    ahead = 200;
    await expect(agentNode(client, payer, { nodeId: 'more' })).rejects.toMatchObject(full);
    await chain.mine(chain.now() + ahead);
    // Neither another chain nor a missing endpoint proves anything.
    const other = createPayer({ ...options, proof: { rpc: { 'eip155:8453': seller.server.url } } });
    for (const one of [unproven, other]) {
      expect(await one.review()).toMatchObject([{ outcome: 'open' }]);
    }
    expect(await payer.review()).toMatchObject([{ outcome: 'freed' }]);
    expect(await payer.report()).toMatchObject({ spent: PRICE, reserved: 0n, open: [] });
  });
});
