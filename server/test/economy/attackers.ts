import { encodeFunctionData, parseAbi, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { deriveWallet, type Wallet } from '../../../devnet/src/index.ts';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import type { SignedAuthorization } from '../../src/payments/authorization/payment.ts';
import { pause } from '../../src/runtime/pause.ts';
import type { FaultyRpc } from '../faultyRpc.ts';
import { header } from '../paidTestServer.ts';
import { PRICE } from '../tokenChain.ts';
import { saidBy } from './honest.ts';
import type { Market } from './market.ts';

/** One attempt to get a response for free, or to harm other clients. */
export type Attack = (round: number) => Promise<unknown>;

const TOKEN = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  'function cancelAuthorization(address,bytes32,bytes)',
]);
const ACCOMPLICE: Address = '0x00000000000000000000000000000000000000ac';
const AT_ONCE = 20;
/** The maximum number of payments that a new key may have in flight. */
const DRAINED = 4;
/** Maximum time that an attacker waits until more of its payments are verified. */
const GRACE_MS = 300;
const LOOK_MS = 10_000;
/** Where the nonce starts in a call of the token: after the selector and five words. */
const NONCE_AT = 2 + 8 + 5 * 64;

/**
 * Deploys the attackers' contracts and returns every attacker of the audit by name. Call it before the faults start.
 */
export async function hireAttackers(market: Market): Promise<Readonly<Record<string, Attack>>> {
  const { chain, shop, hostile, random, node } = market;
  const turned = [await hostile.deploy('Turned'), await hostile.deploy('Turned')];
  const seesPrice = await hostile.deploy('SeesPrice');
  const costly = await hostile.deploy('Costly', 100_000n);
  const factory = await hostile.factory();
  const delegated = deriveWallet(market.name, 'delegated');
  const cancelling = deriveWallet(market.name, 'cancelling');
  await hostile.delegate(delegated.privateKey, seesPrice);
  let seen = 0;

  return {
    /**
     * Replays payments of other clients that it sees on the way to the chain, on this route and another. It gets no
     * response and delays no other client.
     */
    async replays() {
      const find = () => node.requests.map(sentBy).filter((payment) => payment !== undefined);
      const victims = await lookFor(find);
      if (victims.length === 0) return;
      const text = header(chain, random.pick(victims));
      const path = random.pick(['/api/v1/agent/node/stolen', '/api/v1/agent/node/honest:0_0']);
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const reply = await shop.buy(text, { path, ...from('203.0.113.1') });
          expect(reply.status, saidBy(reply)).not.toBe(200);
          strike('replays');
        }),
      );
    },

    /** Sends the seller's transactions to the chain itself, ahead of the seller if possible. */
    async frontRuns() {
      const find = () =>
        node.requests.slice(seen).filter(({ method }) => method === 'eth_sendRawTransaction');
      const raw = (await lookFor(find)).at(-1)?.params[0];
      seen = node.requests.length;
      const data = raw === undefined ? undefined : parseTransaction(raw as Hex).data;
      if (data === undefined || data === '0x') return;
      await put(chain.terms.asset, data);
      strike('frontRuns');
    },

    /**
     * Accepts every simulation and burns gas on chain: a transaction that is in the pool before the settlement switches
     * the wallet, and no call sees it.
     */
    async turns(round) {
      const wallet = turned[round % turned.length]!;
      const payment = hostile.pay(wallet);
      during([payment], async () => {
        chain.hold(true);
        await chain.chain.exclusive(() => hostile.turn(wallet, true));
        strike('turns');
      });
      let over = false;
      const buying = tryPay(payment, '203.0.113.2').finally(() => {
        over = true;
      });
      while (!over && !isSent(payment)) await pause(10);
      chain.hold(false);
      await chain.mine();
      await buying;
      await chain.chain.exclusive(() => hostile.turn(wallet, false));
      await chain.mine();
    },

    /** Tries wallets that read the gas price: a contract, an EIP-7702 account, and a factory of undeployed wallets. */
    async looksAtPrice(round) {
      const payments = [
        () => hostile.pay(seesPrice),
        () => chain.pay({ from: lower(delegated.address), key: delegated.privateKey }),
        () => hostile.payUndeployed(factory),
      ];
      await tryPay(await payments[round % payments.length]!(), '203.0.113.3');
      strike('looksAtPrice');
    },

    /** Pays from a wallet that burns as much gas as it can. */
    async costs() {
      if (await tryPay(hostile.pay(costly), '203.0.113.4')) strike('costs');
    },

    /** Has funds for one payment and signs twenty. */
    async bursts(round) {
      const { key, payer } = await fund('burst', round);
      await Promise.all(
        Array.from({ length: AT_ONCE }, () =>
          tryPay(chain.pay({ from: payer, key }), '203.0.113.5'),
        ),
      );
      strike('bursts');
    },

    /** Gets several payments verified, then moves all the money away in one transaction. */
    async drains(round) {
      const value = BigInt(DRAINED) * PRICE;
      const { key, payer } = await fund('drain', round, value);
      const payments = Array.from({ length: DRAINED }, () => chain.pay({ from: payer, key }));
      during(payments, async () => {
        const taken = await bring(chain.pay({ from: payer, key, to: ACCOMPLICE, value }));
        if (taken) strike('drains');
      });
      await Promise.all(payments.map((payment) => tryPay(payment, '203.0.113.6')));
    },

    /** Repeatedly cancels verified payments of the same key. */
    async cancels() {
      const { privateKey: key, address } = cancelling;
      await chain.mint(lower(address), PRICE);
      const payment = chain.pay({ from: lower(address), key });
      during([payment], async () => {
        if (await put(chain.terms.asset, await cancelOf(key, payment))) strike('cancels');
      });
      await tryPay(payment, '203.0.113.7');
    },

    /** Sends payments of unfunded keys, and wallet signatures that no wallet accepts. */
    async floods(round) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) => {
          const { address, privateKey: key } = deriveWallet(market.name, `flood ${round} ${i}`);
          const payment = chain.pay({ from: lower(address), key });
          const wallet: SignedAuthorization = { ...hostile.pay(seesPrice), signature: '0x99' };
          return tryPay(i % 2 === 0 ? payment : wallet, '203.0.113.8');
        }),
      );
      strike('floods');
    },
  };

  /** Waits up to `LOOK_MS` for results. */
  async function lookFor<T>(find: () => T[]): Promise<T[]> {
    const until = performance.now() + LOOK_MS;
    for (;;) {
      const found = find();
      if (found.length > 0 || performance.now() > until) return found;
      await pause(20);
    }
  }

  function strike(attack: string): void {
    market.struck[attack] = (market.struck[attack] ?? 0) + 1;
  }

  /**
   * Runs `act` once while the handlers of these payments run, before any settlement: as soon as all are verified, or
   * `GRACE_MS` after the first.
   */
  function during(payments: readonly SignedAuthorization[], act: () => Promise<void>): void {
    let good = 0;
    let all = () => {};
    let acting: Promise<void> | undefined;
    for (const payment of payments) {
      market.meanwhile.set(nodeOf(payment), async () => {
        acting ??= new Promise<void>((resolve) => {
          all = resolve;
          setTimeout(resolve, GRACE_MS);
        }).then(act);
        if (++good === payments.length) all();
        await acting;
      });
    }
  }

  function nodeOf({ authorization }: SignedAuthorization): string {
    return `taken:${authorization.nonce}`;
  }

  function isSent({ authorization: { nonce } }: SignedAuthorization): boolean {
    return node.requests.some(
      ({ method, params }) =>
        method === 'eth_sendRawTransaction' && String(params[0]).includes(nonce.slice(2)),
    );
  }

  /** Returns the signed payment that a request to the RPC endpoint sends to the chain; sending makes it public. */
  function sentBy({ method, params }: FaultyRpc['requests'][number]) {
    if (method !== 'eth_sendRawTransaction') return undefined;
    const data = parseTransaction(params[0] as Hex).data ?? '0x';
    return market.signed.get(`0x${data.slice(NONCE_AT, NONCE_AT + 64)}`);
  }

  function from(address: string) {
    return { headers: { 'x-forwarded-for': address } };
  }

  /** Returns whether the payment got a 200 response. */
  async function tryPay(payment: SignedAuthorization, address: string): Promise<boolean> {
    market.remember(payment);
    const path = `/api/v1/agent/node/${nodeOf(payment)}`;
    const reply = await shop.buy(header(chain, payment), { path, ...from(address) });
    market.meanwhile.delete(nodeOf(payment));
    expect([200, 402, 429, 503]).toContain(reply.status);
    if (reply.status === 200) market.answered.add(payment.authorization.nonce);
    return reply.status === 200;
  }

  async function fund(
    label: string,
    round: number,
    value = PRICE,
  ): Promise<{ key: Hex; payer: Address }> {
    const { address, privateKey }: Wallet = deriveWallet(market.name, `${label} ${round}`);
    await chain.mint(lower(address), value);
    return { key: privateKey, payer: lower(address) };
  }

  /** Sends a transaction from the attacker's key; returns whether it succeeded. */
  async function put(to: Address, data: Hex): Promise<boolean> {
    return (await chain.send(to, data)).status === '0x1';
  }

  async function bring({ authorization, signature }: SignedAuthorization): Promise<boolean> {
    const { from: payer, to, value, validAfter, validBefore, nonce } = authorization;
    const args = [payer, to, value, validAfter, validBefore, nonce, signature] as const;
    const functionName = 'transferWithAuthorization';
    return put(chain.terms.asset, encodeFunctionData({ abi: TOKEN, functionName, args }));
  }

  async function cancelOf(key: Hex, { authorization }: SignedAuthorization): Promise<Hex> {
    const { from: authorizer, nonce } = authorization;
    const { chainId, asset, assetName, assetVersion } = chain.terms;
    const signature = await privateKeyToAccount(key).signTypedData({
      domain: { name: assetName, version: assetVersion, chainId, verifyingContract: asset },
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer, nonce },
    });
    const args = [authorizer, nonce, signature] as const;
    return encodeFunctionData({ abi: TOKEN, functionName: 'cancelAuthorization', args });
  }
}
