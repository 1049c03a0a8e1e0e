import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { openPglite } from '../../server/src/store/pglite.ts';
import {
  type PaidServer,
  type PaidServerOptions,
  PUBLIC_URL,
  startPaidServer,
} from '../../server/test/paidServer.ts';
import { createTokenChain, type TokenChain } from '../../server/test/tokenChain.ts';
import { createMemoryStore, type PayerOptions } from '../src/index.ts';

/** The server's payment gate, store, and settlement on a local chain. */
export interface RealSeller {
  readonly server: PaidServer;
  readonly chain: TokenChain;
  /** Returns the options of a payer that may buy here, with the key of that number. */
  payerOptions(key: number, options?: Partial<PayerOptions>): PayerOptions;
  /** Returns the amount earned so far. */
  earned(): Promise<bigint>;
  close(): Promise<void>;
}

export async function openRealSeller(
  options: Partial<PaidServerOptions> = {},
): Promise<RealSeller> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-client-'));
  const chain = await createTokenChain({ payers: 8 });
  const store = await openPglite({ folder });
  const server = await startPaidServer({
    store,
    chain,
    ...options,
    payments: { rateLimit: { perSecond: 0, burst: 0 }, ...options.payments },
  });
  return {
    server,
    chain,
    payerOptions: (key, changes) => ({
      signer: privateKeyToAccount(chain.payers[key]!.privateKey),
      budget: { perCall: 250_000n, total: 10_000_000n },
      allow: allowed(chain, server.url),
      store: createMemoryStore(),
      ...changes,
    }),
    earned: () => chain.balance(chain.terms.payTo),
    async close() {
      await server.close();
      await store.close();
      await chain.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Includes the server's public name, which it uses in invoices. */
export function allowed({ terms }: Pick<TokenChain, 'terms'>, url: string): PayerOptions['allow'] {
  return {
    networks: [`eip155:${terms.chainId}`],
    assets: [terms.asset],
    recipients: [terms.payTo],
    hosts: [new URL(url).host, new URL(PUBLIC_URL).host],
    allowLoopback: true,
  };
}
