import { type Address, type Hex, keccak256, stringToHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

export interface Wallet {
  readonly address: Address;
  readonly privateKey: Hex;
}

/** Derives a test key from the seed and a label. Never use it for real money. */
export function deriveWallet(seed: string, label: string): Wallet {
  const privateKey = keccak256(stringToHex(`assay devnet ${seed} ${label}`));
  return { address: privateKeyToAddress(privateKey), privateKey };
}

export function deriveWallets(seed: string, label: string, count: number): Wallet[] {
  return Array.from({ length: count }, (_, index) => deriveWallet(seed, `${label} ${index}`));
}
