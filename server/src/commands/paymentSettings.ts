import { UsageError } from '../cli/usageError.ts';
import type { ChainConfig, PaymentsConfig } from '../config/config.ts';
import { createNodes, type Nodes } from '../payments/chain/nodes.ts';
import type { StoreContext } from './storeCommand.ts';

/** Connects to the payment chain. */
export async function withNodes(
  { config }: StoreContext,
  work: (payments: PaymentsConfig, nodes: Nodes, chain: ChainConfig | undefined) => Promise<number>,
): Promise<number> {
  const payments = paymentsOf(config);
  const chain = config.chains.find(({ chainId }) => chainId === payments.chainId);
  const nodes = createNodes({
    chainId: payments.chainId,
    rpcUrls: chain?.rpcUrls ?? [],
    timeoutMs: (chain?.timeoutSeconds ?? 1) * 1000,
  });
  try {
    return await work(payments, nodes, chain);
  } finally {
    nodes.close();
  }
}

export function paymentsOf({ payments, file }: StoreContext['config']): PaymentsConfig {
  if (payments === undefined)
    throw new UsageError(`${file} has no payments section, so nothing is sold`);
  return payments;
}
