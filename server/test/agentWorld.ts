import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x402Client } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import type { Config } from '../src/config/config.ts';
import { startTestApp, statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld } from './world.ts';

/** A whole server over two chains that also sells risk queries, as an agent finds it. */
export interface AgentWorld {
  readonly url: string;
  readonly served: ServedWorld;
  /** A payment for an invoice, by the stock client with the wallet of that number. */
  pay(invoice: object, wallet?: number): Promise<object>;
  logs(): string;
  close(): Promise<void>;
}

export async function startAgentWorld(
  payments: Readonly<Record<string, unknown>> = {},
): Promise<AgentWorld> {
  // Payments are for now, so the chains have to be of today.
  const anchor = Math.floor(Date.now() / 1000);
  const served = await serveWorld({ seed: 'agents', anchor });
  const folder = await mkdtemp(join(tmpdir(), 'assay-agents-'));
  const { stablecoin, payTo, facilitators, wallets } = served.world;
  const config: Config = served.config({
    edit: (file) =>
      Object.assign(file, {
        payments: {
          chain: 8453,
          asset: stablecoin,
          payTo: payTo.address,
          facilitator: { keys: facilitators.map(({ privateKey }) => privateKey) },
          ...payments,
        },
      }),
  });
  const app = await startTestApp(config, { folder });
  await app.until(statusLiveAt(served.heads()), 90);
  await untilGraded(app.url);
  return {
    url: app.url,
    served,
    async pay(invoice, wallet = 0) {
      const scheme = new ExactEvmScheme(privateKeyToAccount(wallets[wallet]!.privateKey));
      const client = new x402Client().register('eip155:8453', scheme);
      return client.createPaymentPayload(invoice as never);
    },
    logs: app.logs,
    async close() {
      await app.stop();
      await served.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The catalogue is imported while the server already answers. */
async function untilGraded(url: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const response = await fetch(`${url}/v1/vaults/svcusd`);
    const { stats } = (await response.json()) as { stats?: { pools: { riskScore: number }[] } };
    if (stats?.pools.some(({ riskScore }) => riskScore > 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the pools have no grades yet');
}
