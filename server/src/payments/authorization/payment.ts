import type { Address, Hex } from '../../domain/hex.ts';

/**
 * What the payer signed (EIP-3009), in normal form: hex in lower case, numbers as numbers. The wire allows many
 * spellings of one authorization; nothing may be keyed on them.
 */
export interface Authorization {
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  /** Unix seconds. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 bytes. */
  readonly nonce: Hex;
}

export interface SignedAuthorization {
  readonly authorization: Authorization;
  /** 65 bytes of a plain key, or whatever a smart wallet takes (EIP-1271), wrapped or not (EIP-6492). */
  readonly signature: Hex;
  /** What it pays for, for services that list sellers; absent when it is taken up again later. */
  readonly offered?: Offered | undefined;
}

/** A resource as our own invoice names it: what a payer echoes of it may be anything. */
export interface Offered {
  readonly resource: { readonly url: string };
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** What is paid with, and to whom: the same for every resource. */
export interface PaymentTerms {
  readonly chainId: number;
  readonly asset: Address;
  /** The asset's EIP-712 domain. */
  readonly assetName: string;
  readonly assetVersion: string;
  readonly payTo: Address;
  /** How long an authorization may be valid. */
  readonly maxTimeoutSeconds: number;
}
