import { randomBytes } from 'node:crypto';
import { encodeFunctionData, keccak256, parseAbi } from 'viem';
import {
  type Artifacts,
  createChain,
  type DevChain,
  deriveWallet,
  loadArtifacts,
  type Wallet,
} from '../../devnet/src/index.ts';
import { answerBody } from '../../devnet/src/jsonRpc.ts';
import { MULTICALL, STABLECOIN } from '../../devnet/src/plan.ts';
import { balanceOf } from '../../devnet/src/read.ts';
import { serveRpc } from '../../devnet/src/rpcServer.ts';
import { type Address, type Hex, lower } from '../src/domain/hex.ts';
import { signDigest } from '../src/payments/authorization/curve.ts';
import { createDigest } from '../src/payments/authorization/digest.ts';
import type {
  Authorization,
  PaymentTerms,
  SignedAuthorization,
} from '../src/payments/authorization/payment.ts';

/** A chain with id 8453, the token at its real address, settlement keys, and funded payers. */
export interface TokenChain {
  readonly url: string;
  readonly chain: DevChain;
  readonly terms: PaymentTerms;
  readonly multicall: Address;
  readonly artifacts: Artifacts;
  /** Facilitator keys with a gas balance. */
  readonly keys: readonly Hex[];
  readonly payers: readonly Wallet[];
  readonly operator: Address;
  /** Signs with the payer's key unless another is given. */
  pay(fields?: Partial<Authorization> & { key?: Hex }): SignedAuthorization;
  balance(address: Address): Promise<bigint>;
  mint(to: Address, value: bigint): Promise<void>;
  /** Sends from the operator in a separate block. */
  send(to: Address | undefined, data: Hex): Promise<{ contractAddress: Address; status: Hex }>;
  /** While held, external transactions stay in the pool until `mine`. */
  hold(held: boolean): void;
  /** Acknowledges and drops this many of the next external transactions. */
  lose(count: number): void;
  mine(time?: number): Promise<void>;
  now(): number;
  close(): Promise<void>;
}

const MONEY = 10n ** 21n;
export const PRICE = 50_000n;

export async function createTokenChain(
  options: { payers?: number; prague?: boolean } = {},
): Promise<TokenChain> {
  const artifacts = await loadArtifacts();
  const seed = 'payments';
  const operator = deriveWallet(seed, 'operator').address;
  const keys = [0, 1, 2, 3].map((i) => deriveWallet(seed, `key ${i}`));
  const payers = Array.from({ length: options.payers ?? 4 }, (_, i) =>
    deriveWallet(seed, `payer ${i}`),
  );
  const now = () => Math.floor(Date.now() / 1000);
  const chain = await createChain({
    chainId: 8453,
    genesisTime: now() - 100,
    prague: options.prague ?? false,
    actors: [operator],
    balances: [operator, ...keys.map(({ address }) => address)].map((address) => ({
      address,
      wei: MONEY,
    })),
    code: [
      { address: STABLECOIN, code: artifacts.Stablecoin!.deployedBytecode },
      { address: MULTICALL, code: artifacts.Multicall3!.deployedBytecode },
    ],
  });
  let held = false;
  let losing = 0;
  const server = await serveRpc({ host: '127.0.0.1', port: 0, handle });
  const terms: PaymentTerms = {
    chainId: 8453,
    asset: lower(STABLECOIN),
    assetName: 'USD Coin',
    assetVersion: '2',
    payTo: lower(deriveWallet(seed, 'payTo').address),
    maxTimeoutSeconds: 60,
  };
  const digest = createDigest(terms);
  const token = parseAbi(['function initialize(address)', 'function mint(address, uint256)']);
  await send(
    STABLECOIN,
    encodeFunctionData({ abi: token, functionName: 'initialize', args: [operator] }),
  );
  for (const { address } of payers) await mint(address, 10n ** 9n);

  return {
    url: server.url,
    chain,
    terms,
    multicall: lower(MULTICALL),
    artifacts,
    keys: keys.map(({ privateKey }) => privateKey),
    payers,
    operator,
    pay,
    balance: (address) => balanceOf(chain, STABLECOIN, address),
    mint,
    send,
    hold: (on) => {
      held = on;
    },
    lose: (count) => {
      losing = count;
    },
    mine: (time = now()) => chain.exclusive(() => chain.mine(time)),
    now,
    close: () => server.close(),
  };

  function handle(body: string): Promise<string> {
    if (!(held || losing > 0) || !body.includes('eth_sendRawTransaction'))
      return chain.handle(body);
    return answerBody(body, async (method, params) => {
      if (losing-- > 0) return JSON.stringify({ result: keccak256(params[0] as Hex) });
      if (!held) return chain.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      return chain.exclusive(async () =>
        JSON.stringify({ result: await chain.rpc(method, params) }),
      );
    });
  }

  function pay(fields: Partial<Authorization> & { key?: Hex } = {}): SignedAuthorization {
    const { key = payers[0]!.privateKey, ...rest } = fields;
    const authorization: Authorization = {
      from: lower(payers[0]!.address),
      to: terms.payTo,
      value: PRICE,
      validAfter: BigInt(now() - 600),
      validBefore: BigInt(now() + 60),
      nonce: `0x${randomBytes(32).toString('hex')}`,
      ...rest,
    };
    return { authorization, signature: signDigest(key, digest(authorization)) };
  }

  async function mint(to: Address, value: bigint): Promise<void> {
    await send(
      STABLECOIN,
      encodeFunctionData({ abi: token, functionName: 'mint', args: [to, value] }),
    );
  }

  function send(
    to: Address | undefined,
    data: Hex,
  ): Promise<{ contractAddress: Address; status: Hex }> {
    return chain.exclusive(async () => {
      const hash = await chain.send({ from: operator, ...(to && { to }), data });
      await chain.mine(now());
      return chain.rpc('eth_getTransactionReceipt', [hash]);
    });
  }
}
