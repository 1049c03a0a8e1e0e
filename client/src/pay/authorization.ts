import type { Chosen } from './allow.ts';
import { encodeJson } from './base64.ts';
import type { Invoice } from './invoice.ts';

type Hex = `0x${string}`;

/** Signs payments: a viem account, or your own object. This package never sees the key. */
export interface Signer {
  readonly address: string;
  signTypedData(typedData: AuthorizationTypedData): Promise<string>;
}

/** An EIP-3009 authorization as EIP-712 typed data. */
export interface AuthorizationTypedData {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: Hex;
  };
  readonly types: typeof TYPES;
  readonly primaryType: 'TransferWithAuthorization';
  readonly message: {
    readonly from: Hex;
    readonly to: Hex;
    readonly value: bigint;
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: Hex;
  };
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** Clocks differ, and a chain's latest block can be old. */
const VALID_SINCE_SECONDS = 600;

export interface AuthorizationTerms {
  readonly payer: string;
  readonly nonce: string;
  readonly validBefore: number;
  /** Unix seconds. */
  readonly now: number;
}

/** Returns the typed data. Addresses are in lower case, because signers reject a wrong checksum in the seller's address. */
export function typedDataOf(way: Chosen, terms: AuthorizationTerms): AuthorizationTypedData {
  return {
    domain: {
      name: way.name,
      version: way.version,
      chainId: Number(way.network.slice('eip155:'.length)),
      verifyingContract: hex(way.asset),
    },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: hex(terms.payer),
      to: hex(way.payTo),
      value: way.units,
      validAfter: BigInt(terms.now - VALID_SINCE_SECONDS),
      validBefore: BigInt(terms.validBefore),
      nonce: hex(terms.nonce),
    },
  };
}

/** Returns the payment header with the client's identifier, which replaces the seller's. */
export function paymentHeader(options: {
  readonly invoice: Invoice;
  readonly way: Chosen;
  readonly message: AuthorizationTypedData['message'];
  readonly signature: string;
  /** Unique for each signature. */
  readonly identifier: string;
}): string {
  const { invoice, way, message, signature } = options;
  const { value, validAfter, validBefore } = message;
  const info = { ...invoice.identifier, id: options.identifier };
  return encodeJson({
    x402Version: 2,
    resource: { url: invoice.resourceUrl },
    accepted: way.raw,
    payload: {
      signature,
      authorization: {
        ...message,
        value: `${value}`,
        validAfter: `${validAfter}`,
        validBefore: `${validBefore}`,
      },
    },
    ...(invoice.identifier && { extensions: { 'payment-identifier': { info } } }),
  });
}

export function randomHex(bytes: number): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(bytes)));
}

export function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const value of bytes) text += (value + 256).toString(16).slice(1);
  return text;
}

function hex(text: string): Hex {
  return text.toLowerCase() as Hex;
}
