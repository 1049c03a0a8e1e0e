import { encodeFunctionData, parseAbi } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import {
  createFacilitatorServer,
  type FacilitatorServer,
} from '../../../test/facilitatorServer.ts';
import {
  earned,
  header,
  openPaidTestServer,
  type PaidTestServer,
} from '../../../test/paidTestServer.ts';
import { createTokenChain, PRICE, type TokenChain } from '../../../test/tokenChain.ts';
import type { Hex } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import { paymentReports } from '../../store/payments/reports.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { NodesUnavailable } from '../chain/nodes.ts';
import { createPaymentCounts } from '../ledger/paymentCounts.ts';
import { createExpired } from './expired.ts';

const TOKEN = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
]);
/** After the expiry of everything signed here, and the time after it. */
const LATER = 200;

describeAnyEngine('payments that were released', (open) => {
  let chain: TokenChain;
  /** A service that never reports the result of a settlement. */
  let silent: FacilitatorServer;
  let shop: PaidTestServer;
  let final: number;
  let ahead: number;

  beforeEach(async () => {
    ahead = 0;
    chain = await createTokenChain();
    final = chain.chain.tip.number;
    const { controls, rpc } = chain.chain;
    controls.set('eth_getBlockByNumber', ([block, full]) =>
      rpc('eth_getBlockByNumber', [block === 'finalized' ? hexQuantity(final) : block, full]),
    );
    silent = await createFacilitatorServer({
      facilitator: {
        kind: 'embedded',
        verify: async () => ({ ok: true }),
        forget: () => {},
        settle: async () => ({ outcome: 'unknown' }),
        close: async () => {},
      },
      network: 'eip155:8453',
    });
    await silent.mode('hang', 'settle');
    const facilitator = {
      kind: 'remote',
      url: silent.url,
      headers: {},
      timeoutSeconds: 3,
      confirm: 'chain',
      factories: [],
    } as const;
    shop = await openPaidTestServer({
      store: await open(),
      chain,
      now: () => Math.floor(Date.now() / 1000) + ahead,
      payments: { facilitator },
    });
  }, 60_000);
  afterEach(async () => {
    await shop?.close();
    await silent?.close();
    await chain?.close();
  });

  /** Pays without a known result. Then the payment expires, and the chain does not have it. */
  async function payAndExpire(): Promise<SignedAuthorization> {
    const payment = chain.pay();
    expect((await shop.buy(header(chain, payment))).status).toBe(503);
    expect(await shop.row(payment)).toMatchObject({ state: 'unknown' });
    await later();
    await expect
      .poll(async () => {
        await shop.payments.reconciler.run();
        return (await shop.row(payment))?.state;
      })
      .toBe('released');
    return payment;
  }

  async function later(): Promise<void> {
    ahead += LATER;
    await chain.mine(chain.now() + ahead);
  }

  /** Replaces the newest block with a branch that contains this payment, mined before its expiry. */
  async function winsWith({ authorization, signature }: SignedAuthorization): Promise<void> {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
    const data: Hex = encodeFunctionData({
      abi: TOKEN,
      functionName: 'transferWithAuthorization',
      args,
    });
    const fill = async () => {
      await chain.chain.send({ from: chain.operator, to: chain.terms.asset, data });
    };
    const timestamp = Number(validBefore) - 10;
    await chain.chain.reorg({ depth: 1, blocks: [{ timestamp, fill }, { timestamp }] });
    await chain.mine(chain.now() + ahead);
  }

  test('default: never paid, and confirmed when a block after its expiry is final', async () => {
    const payment = await payAndExpire();
    await shop.payments.reconciler.run();
    expect(await shop.row(payment)).toMatchObject({ state: 'released', finalAt: null });
    final = chain.chain.tip.number;
    expect(await shop.payments.reconciler.run()).toEqual({ settled: 0, released: 0, open: 0 });
    const { state, finalAt } = (await shop.row(payment))!;
    expect(state).toBe('released');
    expect(finalAt).not.toBeNull();
  });

  test('behavior: paid by a branch that wins later: owed to its payer', async () => {
    const payment = await payAndExpire();
    const got = await earned(chain, () => winsWith(payment));
    expect(got.earned).toBe(PRICE);
    // That branch could still lose.
    await shop.payments.reconciler.run();
    expect(await shop.row(payment)).toMatchObject({ state: 'released' });
    final = chain.chain.tip.number;
    // The head may be one second old.
    await expect
      .poll(async () => {
        await shop.payments.reconciler.run();
        return shop.row(payment);
      })
      .toMatchObject({ state: 'settled', deliveredAt: null, answer: null });
    await shop.payments.finality.run();
    const owed = await paymentReports.getUndelivered(await open(), Number.MAX_SAFE_INTEGER);
    expect(owed.map(({ nonce }) => nonce)).toEqual([payment.authorization.nonce]);
  });
});

test('error: one that cannot be read does not delay the others', async () => {
  const rows = ['0x01', '0x02'].map((nonce) => ({ ...ROW, nonce: nonce as Hex }));
  const confirmed: string[] = [];
  const errors: unknown[] = [];
  let now = 2_000;
  const expired = createExpired({
    ledger: {
      getReleased: async () => rows.filter(({ nonce }) => !confirmed.includes(nonce)),
      confirmExpired: async ({ nonce }) => {
        confirmed.push(nonce);
      },
      settled: async () => false,
    },
    chain: {
      head: async () => ({ number: 9, time: now }),
      timeOf: async () => now,
      getOnChainStatus: async ({ nonce }) => {
        if (nonce === '0x01' && now < 2_600) throw new NodesUnavailable();
        return { status: 'unused', at: { number: 9, time: now } };
      },
    },
    finalizedHead: async (head) => head,
    counts: createPaymentCounts(),
    now: () => now,
    onError: (error) => errors.push(error),
  });
  expect(await expired.run()).toBe(0);
  expect(confirmed).toEqual(['0x02']);
  expect(errors).toHaveLength(1);
  await expired.run();
  expect(errors).toHaveLength(1);
  now = 2_600;
  await expired.run();
  expect(confirmed).toEqual(['0x02', '0x01']);
});

const WORD: Hex = `0x${'00'.repeat(32)}`;
const ROW: PaymentRow = {
  chainId: 8453,
  asset: '0x0a',
  payer: '0x0b',
  nonce: WORD,
  value: 1n,
  payTo: '0x0c',
  validAfter: 0,
  validBefore: 1_000,
  signature: WORD,
  identifier: null,
  route: 'node',
  calls: 1,
  request: WORD,
  client: WORD,
  owner: 'one',
  leaseUntil: 0,
  fromBlock: 1,
  claimedBlock: 17,
  claimedAt: 0,
  state: 'released',
  sent: true,
  answer: null,
  transaction: null,
  settledAt: null,
  deliveredAt: null,
  refundedAt: null,
  blockNumber: null,
  finalAt: null,
};
