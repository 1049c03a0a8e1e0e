import type { Signer } from '@assay/client';
import { privateKeyToAccount } from 'viem/accounts';

/** The demo's own wallet. Loaded only where it pays. */
export function demoSigner(key: string): Signer {
  return privateKeyToAccount(key as `0x${string}`) as unknown as Signer;
}
