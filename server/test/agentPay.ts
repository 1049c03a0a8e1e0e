import { x402Client } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Pays an invoice with the protocol's own client. */
export function agentPay(invoice: object, key: Hex): Promise<object> {
  const scheme = new ExactEvmScheme(privateKeyToAccount(key));
  const client = new x402Client().register('eip155:8453', scheme);
  return client.createPaymentPayload(invoice as never);
}
