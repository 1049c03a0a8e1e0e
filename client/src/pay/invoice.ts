import { failure } from '../wire/errors.ts';
import { asObject, decodeJson } from './base64.ts';

/** What a 402 asks for (x402, version 2). Its shape is checked; whether to pay it is judged elsewhere. */
export interface Invoice {
  readonly error: string;
  readonly resourceUrl: string;
  readonly accepts: readonly Requirement[];
  /** What the seller says of identifiers; undefined when it takes none. */
  readonly identifier: Readonly<Record<string, unknown>> | undefined;
}

/** One way to pay. */
export interface Requirement {
  readonly scheme: string;
  readonly network: string;
  /** As the seller wrote it. */
  readonly amount: unknown;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** Domain of the asset's signatures. */
  readonly name: string;
  readonly version: string;
  /** To be sent back as it came: sellers compare. */
  readonly raw: object;
}

/** Common clients fail at 16 KB of headers, and what is sent back has to fit into them too. */
const MOST_HEADER = 12_288;
const MOST_WAYS = 32;

export function readInvoice(header: string | null): Invoice {
  if (header === null) throw unreadable('it has no PAYMENT-REQUIRED header');
  if (header.length > MOST_HEADER)
    throw unreadable(`its invoice has over ${MOST_HEADER} characters`);
  const invoice = decodeJson(header);
  if (invoice?.x402Version !== 2) throw unreadable('its invoice is not of x402, version 2');
  const { url } = asObject(invoice.resource) ?? {};
  if (typeof url !== 'string') throw unreadable('its invoice names no resource');
  if (!Array.isArray(invoice.accepts) || invoice.accepts.length > MOST_WAYS) {
    throw unreadable('its invoice names no ways to pay');
  }
  const accepts = invoice.accepts.flatMap((way: unknown) => readRequirement(way) ?? []);
  if (accepts.length === 0) throw unreadable('its invoice names no way to pay that is known here');
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
  return failure('invoice', `the seller wants to be paid, but ${why}`, {});
}
