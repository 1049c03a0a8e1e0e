import { encodeFunctionData, parseAbi, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { deriveWallet, type Wallet } from '../../../devnet/src/index.ts';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import type { SignedAuthorization } from '../../src/payments/authorization/payment.ts';
import { pause } from '../../src/runtime/pause.ts';
import type { FaultyRpc } from '../faultyRpc.ts';
import { header } from '../shop.ts';
import { PRICE } from '../tokenChain.ts';
import { saidBy } from './honest.ts';
import type { Market } from './market.ts';

/** One try of somebody who wants something for nothing, or harm for others. */
export type Attack = (round: number) => Promise<unknown>;

const TOKEN = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  'function cancelAuthorization(address,bytes32,bytes)',
]);
const ACCOMPLICE: Address = '0x00000000000000000000000000000000000000ac';
const AT_ONCE = 20;
/** Where the nonce stands in a call of the token: behind the selector and five words. */
const NONCE_AT = 2 + 8 + 5 * 64;

/** Every attacker of the audit by name. Contracts are deployed here, before the chain is shaken. */
export async function hireAttackers(market: Market): Promise<Readonly<Record<string, Attack>>> {
  const { chain, shop, hostile, random, node } = market;
  const turned = [await hostile.deploy('Turned'), await hostile.deploy('Turned')];
  const seesPrice = await hostile.deploy('SeesPrice');
  const costly = await hostile.deploy('Costly', 200_000n);
  const factory = await hostile.factory();
  const delegated = deriveWallet('economy', 'delegated');
  await hostile.delegate(delegated.privateKey, seesPrice);
  let seen = 0;

  return {
    /** Sends what the chain shows of others, here and elsewhere: is told nothing, and makes nobody wait. */
    async replays() {
      const victims = node.requests.map(sentBy).filter((payment) => payment !== undefined);
      if (victims.length === 0) return;
      const text = header(chain, random.pick(victims));
      const path = random.pick(['/api/v1/agent/node/stolen', '/api/v1/agent/node/honest:0_0']);
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const reply = await shop.buy(text, { path, ...from('203.0.113.1') });
          expect(reply.status, saidBy(reply)).not.toBe(200);
        }),
      );
    },

    /** Brings what the seller sends on chain itself, before it where it can. */
    async frontRuns() {
      const calls = node.requests.slice(seen);
      seen = node.requests.length;
      const raw = calls.findLast(({ method }) => method === 'eth_sendRawTransaction')?.params[0];
      const data = raw === undefined ? undefined : parseTransaction(raw as Hex).data;
      if (data !== undefined && data !== '0x') await put(chain.terms.asset, data);
    },

    /** Says yes to every question, and burns gas on chain where it is turned in time. */
    async turns(round) {
      const wallet = turned[round % turned.length]!;
      const buying = tryPay(hostile.pay(wallet), '203.0.113.2');
      await pause(random.int(60));
      await chain.chain.exclusive(() => hostile.turn(wallet, true));
      await chain.mine();
      await buying;
      await chain.chain.exclusive(() => hostile.turn(wallet, false));
      await chain.mine();
    },

    /** Looks at what gas costs: as a contract, by EIP-7702, and as a factory of wallets that are not there yet. */
    async looksAtPrice(round) {
      const payments = [
        () => hostile.pay(seesPrice),
        () => chain.pay({ from: lower(delegated.address), key: delegated.privateKey }),
        () => hostile.payUndeployed(factory),
      ];
      await tryPay(await payments[round % payments.length]!(), '203.0.113.3');
    },

    /** Pays, and takes as much gas as it can for it. */
    costs: () => tryPay(hostile.pay(costly), '203.0.113.4'),

    /** Has one price and signs twenty payments. */
    async bursts(round) {
      const { key, payer } = await fund('burst', round);
      await Promise.all(
        Array.from({ length: AT_ONCE }, () =>
          tryPay(chain.pay({ from: payer, key }), '203.0.113.5'),
        ),
      );
    },

    /** Moves the money away while it is being served. */
    async drains(round) {
      const { key, payer } = await fund('drain', round);
      const buying = tryPay(chain.pay({ from: payer, key }), '203.0.113.6');
      await pause(random.int(60));
      await bring(chain.pay({ from: payer, key, to: ACCOMPLICE }));
      await buying;
    },

    /** Cancels what it has sent. */
    async cancels(round) {
      const { key, payer } = await fund('cancel', round);
      const payment = chain.pay({ from: payer, key });
      const buying = tryPay(payment, '203.0.113.7');
      await pause(random.int(60));
      await put(chain.terms.asset, await cancelling(key, payment));
      await buying;
    },

    /** Keys without money, and signatures of wallets that are none. */
    async floods(round) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) => {
          const { address, privateKey: key } = deriveWallet('economy', `flood ${round} ${i}`);
          const payment = chain.pay({ from: lower(address), key });
          const wallet: SignedAuthorization = { ...hostile.pay(seesPrice), signature: '0x99' };
          return tryPay(i % 2 === 0 ? payment : wallet, '203.0.113.8');
        }),
      );
    },
  };

  /** The payment that a request to the node brings on chain: with it, it is public. */
  function sentBy({ method, params }: FaultyRpc['requests'][number]) {
    if (method !== 'eth_sendRawTransaction') return undefined;
    const data = parseTransaction(params[0] as Hex).data ?? '0x';
    return market.signed.get(`0x${data.slice(NONCE_AT, NONCE_AT + 64)}`);
  }

  function from(address: string) {
    return { headers: { 'x-forwarded-for': address } };
  }

  async function tryPay(payment: SignedAuthorization, address: string): Promise<void> {
    market.remember(payment);
    const path = `/api/v1/agent/node/taken:${payment.authorization.nonce}`;
    const reply = await shop.buy(header(chain, payment), { path, ...from(address) });
    if (reply.status === 200) market.answered.add(payment.authorization.nonce);
    else expect([402, 429, 503]).toContain(reply.status);
  }

  async function fund(label: string, round: number): Promise<{ key: Hex; payer: Address }> {
    const { address, privateKey }: Wallet = deriveWallet('economy', `${label} ${round}`);
    await chain.mint(lower(address), PRICE);
    return { key: privateKey, payer: lower(address) };
  }

  /** By somebody of their own, whether it works or not. */
  async function put(to: Address, data: Hex): Promise<void> {
    await chain.send(to, data);
  }

  async function bring({ authorization, signature }: SignedAuthorization): Promise<void> {
    const { from: payer, to, value, validAfter, validBefore, nonce } = authorization;
    const args = [payer, to, value, validAfter, validBefore, nonce, signature] as const;
    const functionName = 'transferWithAuthorization';
    await put(chain.terms.asset, encodeFunctionData({ abi: TOKEN, functionName, args }));
  }

  async function cancelling(key: Hex, { authorization }: SignedAuthorization): Promise<Hex> {
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
