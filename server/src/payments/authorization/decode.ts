import type { Hex } from '../../domain/hex.ts';
import type { Authorization, SignedAuthorization } from './payment.ts';

/** A payment decoded from its header, in canonical form and not yet validated. */
export interface DecodedPayment extends SignedAuthorization {
  /** The terms that the payer accepted. */
  readonly accepted: AcceptedTerms;
  /** The resource that the payer pays for. */
  readonly resourceUrl: string | null;
  readonly identifier: string | null;
}

export interface AcceptedTerms {
  readonly scheme: unknown;
  readonly network: unknown;
  readonly amount: unknown;
  readonly asset: unknown;
  readonly payTo: unknown;
}

export type Decoded =
  | { readonly kind: 'payment'; readonly payment: DecodedPayment }
  /** Not base64, not JSON, or not an object. */
  | { readonly kind: 'undecodable' }
  /** A malformed payment, with a lower-case code. */
  | { readonly kind: 'invalid'; readonly code: string };

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NONCE = /^0x[0-9a-fA-F]{64}$/;
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2})+$/;
const INTEGER = /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/;
const IDENTIFIER = /^[A-Za-z0-9_-]{16,128}$/;
const UINT256_END = 1n << 256n;

export function decodePayment(header: string): Decoded {
  const value = parse(header);
  if (!isObject(value)) return { kind: 'undecodable' };
  if (value.x402Version !== 2) return invalid('invalid_x402_version');
  const { accepted, payload, resource, extensions } = value;
  if (!isObject(accepted) || !isObject(payload)) return invalid('invalid_payload');
  const authorization = readAuthorization(payload.authorization);
  if (authorization === undefined) return invalid('invalid_authorization');
  const { signature } = payload;
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) {
    return invalid('invalid_signature');
  }
  const resourceUrl = readResource(resource);
  if (resourceUrl === undefined) return invalid('invalid_resource');
  const identifier = readIdentifier(extensions);
  if (identifier === undefined) return invalid('invalid_payment_identifier');
  return {
    kind: 'payment',
    payment: {
      authorization,
      signature: signature.toLowerCase() as Hex,
      accepted: accepted as unknown as AcceptedTerms,
      resourceUrl,
      identifier,
    },
  };
}

function parse(header: string): unknown {
  if (!BASE64.test(header)) return undefined;
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}

function readAuthorization(value: unknown): Authorization | undefined {
  if (!isObject(value)) return undefined;
  const { from, to, nonce } = value;
  if (typeof from !== 'string' || !ADDRESS.test(from)) return undefined;
  if (typeof to !== 'string' || !ADDRESS.test(to)) return undefined;
  if (typeof nonce !== 'string' || !NONCE.test(nonce)) return undefined;
  const amount = readInteger(value.value);
  const validAfter = readInteger(value.validAfter);
  const validBefore = readInteger(value.validBefore);
  if (amount === undefined || validAfter === undefined || validBefore === undefined) {
    return undefined;
  }
  return {
    from: from.toLowerCase() as Hex,
    to: to.toLowerCase() as Hex,
    value: amount,
    validAfter,
    validBefore,
    nonce: nonce.toLowerCase() as Hex,
  };
}

/** Accepts decimal and hex: both settle as the same value. */
function readInteger(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !INTEGER.test(value)) return undefined;
  const integer = BigInt(value);
  return integer < UINT256_END ? integer : undefined;
}

/** Null when absent, undefined when malformed. */
function readResource(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (!isObject(value) || typeof value.url !== 'string') return undefined;
  return value.url;
}

function readIdentifier(extensions: unknown): string | null | undefined {
  if (extensions === undefined || extensions === null) return null;
  if (!isObject(extensions)) return undefined;
  const extension = extensions['payment-identifier'];
  if (extension === undefined) return null;
  if (!isObject(extension) || !isObject(extension.info)) return undefined;
  const { id } = extension.info;
  // A client may echo the server's declaration without filling it in.
  if (id === undefined) return null;
  return typeof id === 'string' && IDENTIFIER.test(id) ? id : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(code: string): Decoded {
  return { kind: 'invalid', code };
}
