import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createTokenChain, type TokenChain } from '../../server/test/tokenChain.ts';
import {
  type Budget,
  createMemoryStore,
  createPayer,
  type FailureType,
  isAssayError,
  type Payer,
  type PayerOptions,
  type PurchaseResult,
} from '../src/index.ts';
import { type HostileSeller, type Sale, startHostileSeller } from './hostileSeller.ts';

export const BUDGET: Budget = { perCall: 60_000n, total: 150_000n };
export const STRANGER = '0x00000000000000000000000000000000000bad00';

/** A seller and a buyer on one chain, created for each test. */
export interface Shopping {
  readonly chain: TokenChain;
  readonly seller: HostileSeller;
  readonly payer: Payer;
  /** Number of signatures by the payer's key. */
  readonly signatures: number;
  open(sell: (sale: Sale) => void | Promise<void>, options?: Partial<PayerOptions>): Promise<void>;
  /** Another payer with the same key. */
  restart(options: Partial<PayerOptions>): void;
  buy(path?: string): Promise<PurchaseResult>;
  /** Returns the type of the error that a purchase fails with. */
  failing(path?: string): Promise<FailureType>;
}

/** Checks after each test of a hostile seller that no cap is exceeded and all possible charges are counted. */
export function useHostileSeller(): Shopping {
  let chain: TokenChain;
  let seller: HostileSeller | undefined;
  let payer: Payer;
  let signatures = 0;

  beforeAll(async () => {
    chain = await createTokenChain();
  });
  afterAll(() => chain?.close());
  afterEach(async () => {
    if (!seller) return;
    const { charges, amount } = await seller.cash();
    const { spent, reserved } = await payer.report();
    expect(amount).toBeLessThanOrEqual(spent + reserved);
    expect(spent + reserved).toBeLessThanOrEqual(BUDGET.total);
    const nonces = new Set(seller.payments.map(({ authorization }) => authorization.nonce));
    expect(charges).toBeLessThanOrEqual(nonces.size);
    await seller.close();
    seller = undefined;
  });

  const buy = (path = '/grade') => payer.buy(seller!.url + path);
  return {
    get chain() {
      return chain;
    },
    get seller() {
      return seller!;
    },
    get payer() {
      return payer;
    },
    get signatures() {
      return signatures;
    },
    async open(sell, options = {}) {
      seller = await startHostileSeller(chain, sell);
      signatures = 0;
      payer = createPayer(payerOptions(seller.host, options));
    },
    restart(options) {
      payer = createPayer(payerOptions(seller!.host, options));
    },
    buy,
    async failing(path) {
      const error = await buy(path).catch((caught: unknown) => caught);
      if (isAssayError(error)) return error.type;
      throw new Error(`no failure, but ${JSON.stringify(error)}`);
    },
  };

  function payerOptions(host: string, options: Partial<PayerOptions>): PayerOptions {
    const account = privateKeyToAccount(chain.payers[0]!.privateKey);
    return {
      signer: {
        address: account.address,
        signTypedData: (typedData) => {
          signatures++;
          return account.signTypedData(typedData);
        },
      },
      budget: BUDGET,
      allow: {
        networks: ['eip155:8453'],
        assets: [chain.terms.asset],
        recipients: [chain.terms.payTo],
        hosts: [host, 'api.example.com'],
        allowLoopback: true,
      },
      store: createMemoryStore(),
      timeoutMs: 5_000,
      retries: 2,
      ...options,
    };
  }
}

/** Sells without cheating. */
export function honest({ payment, bill, deliver }: Sale): void {
  if (payment) deliver();
  else bill();
}
