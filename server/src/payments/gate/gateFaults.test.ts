import { type Abi, encodeFunctionData, getAddress, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import { expectUnrecorded } from '../../../test/lostRows.ts';
import {
  earned,
  expectInvoice,
  expectPaid,
  header,
  type PaidTestServer,
  read,
} from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, lower } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

const TOKEN: Abi = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  'function cancelAuthorization(address,bytes32,bytes)',
]);
const ELSEWHERE: Address = '0x00000000000000000000000000000000000000ee';

const chain = useTokenChain({ payers: 6 });

/** Sends the payment from another account, as any observer can. */
async function bringOnChain({ authorization, signature }: SignedAuthorization): Promise<void> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, value, validAfter, validBefore, nonce, signature];
  const functionName = 'transferWithAuthorization';
  const data = encodeFunctionData({ abi: TOKEN, functionName, args });
  const { status } = await chain.send(chain.terms.asset, data);
  expect(status).toBe('0x1');
}

async function cancel({ authorization: { from, nonce } }: SignedAuthorization): Promise<void> {
  const payer = chain.payers.find(({ address }) => lower(address) === from)!;
  const { chainId, asset, assetName, assetVersion } = chain.terms;
  const signature = await privateKeyToAccount(payer.privateKey).signTypedData({
    domain: { name: assetName, version: assetVersion, chainId, verifyingContract: asset },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: from, nonce },
  });
  const args = [from, nonce, signature];
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'cancelAuthorization', args });
  const { status } = await chain.send(chain.terms.asset, data);
  expect(status).toBe('0x1');
}

/** Returns how many transactions the settlement keys have sent. */
async function countSent(): Promise<number> {
  const counts = await Promise.all(
    chain.keys.map((key) =>
      chain.chain.rpc('eth_getTransactionCount', [privateKeyToAccount(key).address, 'latest']),
    ),
  );
  return counts.reduce((sum: number, count) => sum + Number(count), 0);
}

describeAnyEngine('gate and faults', (open, database) => {
  const rpc = useResource(() => createFaultyRpc({ target: chain.url }));
  const start = useShops({ open, chain });
  afterEach(() => rpc.mode({ kind: 'none' }));
  /** Returns a separate payer for each engine, because these tests spend its money. */
  function payerOf(place: number) {
    const payer = chain.payers[place + (database().engine === 'pglite' ? 0 : 3)]!;
    return { from: lower(payer.address), key: payer.privateKey };
  }
  async function drain(place: number): Promise<bigint> {
    const { from, key } = payerOf(place);
    const value = await chain.balance(from);
    await bringOnChain(chain.pay({ from, key, to: ELSEWHERE, value }));
    return value;
  }

  test('error: the account is emptied during the handler', async () => {
    const shop = await start({ answer: async () => ({ drained: String(await drain(1)) }) });
    const payment = chain.pay(payerOf(1));
    const text = header(chain, payment);
    const { result, earned: got } = await earned(chain, () => shop.buy(text));
    expectInvoice(result, 'insufficient_funds');
    expect(read(result.headers['payment-response'])).toEqual({
      success: false,
      errorReason: 'insufficient_funds',
      transaction: '',
      network: 'eip155:8453',
      payer: getAddress(payment.authorization.from),
    });
    expect(got).toBe(0n);
    // The transaction was public, so the payment stays open, and a retry costs this server no gas.
    expect(await shop.row(payment)).toMatchObject({ state: 'unknown' });
    const sent = await countSent();
    for (let i = 0; i < 3; i++) expect((await shop.buy(text)).status).toBe(503);
    expect(await countSent()).toBe(sent);
    expect(shop.runs()).toBe(1);
    // Once funded again, another account settles it: charged, found, and delivered.
    await chain.mint(payment.authorization.from, 10n * PRICE);
    const { earned: paid } = await earned(chain, async () => {
      await bringOnChain(payment);
      await shop.payments.reconciler.run();
      expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
      expectPaid(await shop.buy(text), payment);
    });
    expect(paid).toBe(PRICE);
    expect(shop.runs()).toBe(1);
  });

  test('behavior: the account is emptied, funded, and the same payment is valid', async () => {
    const shop = await start({ answer: async () => ({ drained: String(await drain(2)) }) });
    const payment = chain.pay(payerOf(2));
    const text = header(chain, payment);
    expectInvoice(await shop.buy(text), 'insufficient_funds');
    await chain.mint(payment.authorization.from, PRICE);
    const { result, earned: got } = await earned(chain, () => shop.buy(text));
    expectPaid(result, payment);
    expect(got).toBe(PRICE);
    expect(shop.runs()).toBe(1);
    expect(await chain.balance(payment.authorization.from)).toBe(0n);
  });

  test('error: the authorization is cancelled during the handler', async () => {
    const payment = chain.pay(payerOf(0));
    const shop = await start({
      answer: async () => {
        await cancel(payment);
        return {};
      },
    });
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectInvoice(result, 'authorization_cancelled');
    expect(got).toBe(0n);
    expect(await shop.row(payment)).toMatchObject({ state: 'released', answer: null });
    expectInvoice(await shop.buy(header(chain, payment)), 'authorization_already_used');
    expect(shop.runs()).toBe(1);
  });

  test('error: its nonce is used for another transfer during the handler', async () => {
    const payer = payerOf(0);
    const payment = chain.pay(payer);
    const { nonce } = payment.authorization;
    const shop = await start({
      answer: async () => {
        await bringOnChain(chain.pay({ ...payer, nonce, to: ELSEWHERE }));
        return {};
      },
    });
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectInvoice(result, 'authorization_cancelled');
    expect(got).toBe(0n);
  });

  test('error: its nonce pays this server less during the handler', async () => {
    const payer = payerOf(0);
    const payment = chain.pay(payer);
    const { nonce } = payment.authorization;
    const shop = await start({
      answer: async () => {
        await bringOnChain(chain.pay({ ...payer, nonce, value: 1n }));
        return {};
      },
    });
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectInvoice(result, 'authorization_cancelled');
    expect(got).toBe(1n);
  });

  test('behavior: the payer settles the payment itself during the handler, once', async () => {
    const payment = chain.pay(payerOf(0));
    const shop = await start({
      answer: async () => {
        await bringOnChain(payment);
        return {};
      },
    });
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectPaid(result, payment);
    expect(got).toBe(PRICE);
    expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
  });

  test('error: used on chain before: neither run nor charged', async () => {
    const shop = await start();
    const payment = chain.pay(payerOf(0));
    await bringOnChain(payment);
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectUnrecorded(result);
    expect(got).toBe(0n);
    expect(shop.runs()).toBe(0);
  });

  test('behavior: no RPC endpoint responds: 503, and the same payment is valid later', async () => {
    const shop = await start({ rpcUrl: rpc.url });
    const payment = chain.pay(payerOf(0));
    const text = header(chain, payment);
    const { earned: got } = await earned(chain, async () => {
      for (const kind of ['dead', 'http500'] as const) {
        await rpc.mode({ kind });
        const reply = await shop.buy(text);
        expect(reply.status).toBe(503);
        expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
        expect(reply.body.toString()).not.toMatch(/127\.0\.0\.1|http:|ECONN/);
      }
    });
    expect(got).toBe(0n);
    expect(shop.runs()).toBe(0);
    await rpc.mode({ kind: 'none' });
    expectPaid(await shop.buy(text), payment);
  });

  test('behavior: an RPC endpoint one block behind causes no rejection', async () => {
    const shop = await start({ rpcUrl: rpc.url });
    const buy = async () => {
      const payment = chain.pay(payerOf(0));
      expectPaid(await shop.buy(header(chain, payment)), payment);
    };
    await buy();
    // The settlement mined a block.
    await rpc.mode({ kind: 'lag', blocks: 2 }, { only: ['eth_getBlockByNumber'] });
    const before = rpc.requests.length;
    const isHeadRead = () =>
      rpc.requests
        .slice(before)
        .some(({ method, params }) => method === 'eth_getBlockByNumber' && params[0] === 'latest');
    // A head is trusted for a second.
    while (!isHeadRead()) await buy();
  });

  test('behavior: the RPC endpoint fails during the handler: nothing charged, and valid later', async () => {
    const shop: PaidTestServer = await start({
      rpcUrl: rpc.url,
      answer: async () => {
        if (shop.runs() === 1) await rpc.mode({ kind: 'http500' });
        return {};
      },
    });
    const payment = chain.pay(payerOf(0));
    const text = header(chain, payment);
    const { result, earned: got } = await earned(chain, () => shop.buy(text));
    expect(result.status).toBe(503);
    expect(got).toBe(0n);
    await rpc.mode({ kind: 'none' });
    const { result: again, earned: then } = await earned(chain, () => shop.buy(text));
    expectPaid(again, payment);
    expect(then).toBe(PRICE);
  }, 60_000);
});
