import { failure } from '../wire/errors.ts';
import { asObject, decodeJson } from './base64.ts';

/** The x402 `PaymentRequired` object of a 402 (version 2). Only its shape is checked here, not whether to pay it. */
export interface Invoice {
  readonly error: string;
  readonly resourceUrl: string;
  readonly accepts: readonly Requirement[];
  /** The seller's payment identifier extension; undefined if not supported. */
  readonly identifier: Readonly<Record<string, unknown>> | undefined;
}

/** One way to pay. */
export interface Requirement {
  readonly scheme: string;
  readonly network: string;
  /** Unchecked. */
  readonly amount: unknown;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** EIP-712 domain of the asset. */
  readonly name: string;
  readonly version: string;
  /** Sent back unchanged, because sellers compare it. */
  readonly raw: object;
}

/** Common HTTP clients fail at 16 KB of headers, and the payment header repeats parts of the invoice. */
const MAX_HEADER = 12_288;
const MAX_OFFERS = 32;

export function readInvoice(header: string | null): Invoice {
  if (header === null) throw unreadable('the response has no PAYMENT-REQUIRED header');
  if (header.length > MAX_HEADER) throw unreadable('its invoice is too long');
  const invoice = decodeJson(header);
  if (invoice?.x402Version !== 2) throw unreadable('its invoice is not x402 version 2');
  const { url } = asObject(invoice.resource) ?? {};
  if (typeof url !== 'string') throw unreadable('its invoice has no resource');
  if (!Array.isArray(invoice.accepts) || invoice.accepts.length > MAX_OFFERS) {
    throw unreadable('its invoice has no valid list of ways to pay');
  }
  const accepts = invoice.accepts.flatMap((way: unknown) => readRequirement(way) ?? []);
  if (accepts.length === 0)
    throw unreadable('its invoice has no way to pay that this client supports');
  const offered = asObject(asObject(invoice.extensions)?.['payment-identifier']);
  return {
    error: typeof invoice.error === 'string' ? invoice.error : '',
    resourceUrl: url,
    accepts,
    identifier: offered && (asObject(offered.info) ?? {}),
  };
}

function readRequirement(value: unknown): Requirement | undefined {
  const way = asObject(value);
  if (!way) return undefined;
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds } = way;
  const { name, version, assetTransferMethod = 'eip3009' } = asObject(way.extra) ?? {};
  const texts = [scheme, network, asset, payTo, name, version];
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  if (!Number.isInteger(maxTimeoutSeconds) || (maxTimeoutSeconds as number) < 1) return undefined;
  if (assetTransferMethod !== 'eip3009') return undefined;
  return {
    scheme,
    network,
    amount,
    asset,
    payTo,
    maxTimeoutSeconds,
    name,
    version,
    raw: way,
  } as Requirement;
}

function unreadable(why: string) {
  return failure('invoice', `The seller requires payment, but ${why}`, {});
}
