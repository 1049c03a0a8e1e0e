import { setTimeout } from 'node:timers/promises';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { DemoServer } from '../dashboard/test/demoPages.ts';

/** The stock client with a wallet of the demo. */
export function payerOf(privateKey: string): typeof fetch {
  const client = new ExactEvmScheme(privateKeyToAccount(privateKey as Hex));
  return wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:8453', client }],
  });
}

/** Waits for a pool that a search finds: the graph imports the vaults' pools shortly after they are indexed. */
export async function findPool({ apiUrl, wallets }: DemoServer, q: string): Promise<string> {
  const pay = payerOf(wallets[0]!.privateKey);
  for (;;) {
    const response = await pay(`${apiUrl}/api/v1/agent/search?q=${q}&label=Pool`);
    const [pool] = (await response.json()) as { id: string }[];
    if (pool !== undefined) return pool.id;
    await setTimeout(500);
  }
}
