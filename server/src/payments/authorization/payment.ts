import type { Address, Hex } from '../../domain/hex.ts';

/**
 * The fields that a payer signs (EIP-3009), in canonical form: lower-case hex and numeric values. The wire format has
 * several encodings of one authorization, so nothing may be keyed on the encoding.
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
  /** 65 bytes for a plain key, or any bytes that a smart wallet accepts (EIP-1271), wrapped or not (EIP-6492). */
  readonly signature: Hex;
  /** The resource, for services that list sellers; absent when the payment is settled later. */
  readonly offered?: Offered | undefined;
}

/** A resource as this server's invoice describes it: the payer's copy of it is not trusted. */
export interface Offered {
  readonly resource: { readonly url: string };
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** The asset, chain, and recipient of payments: the same for every resource. */
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
