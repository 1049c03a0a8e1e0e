import type { Signer } from '@assay/client';
import { privateKeyToAccount } from 'viem/accounts';

/** Returns the signer of the demo wallet. Loaded only in the demo. */
export function demoSigner(key: string): Signer {
  return privateKeyToAccount(key as `0x${string}`) as unknown as Signer;
}
