import { type AssayError, type Failures, failure } from '../wire/errors.ts';
import type { Invoice, Requirement } from './invoice.ts';

/** The allowed recipients, assets, networks, and hosts. Anything not listed is not paid. */
export interface Allow {
  /** CAIP-2 ids, such as eip155:8453. */
  readonly networks: readonly string[];
  /** Stablecoin contracts. They share the budget, so all must have the same decimals. */
  readonly assets: readonly string[];
  /** Allowed recipients. */
  readonly recipients: readonly string[];
  /** Hosts, with a port if it is not the default: api.example.com, 127.0.0.1:8080. */
  readonly hosts: readonly string[];
  /** The demo's wallets; set by `allowDemo`. */
  readonly demoWallets?: readonly string[];
  /**
   * A seller on this machine is treated as the demo, which only the demo's keys may pay. Set to true if it settles on the
   * real chain instead.
   */
  readonly allowLoopback?: boolean;
  /** @deprecated Use `allowLoopback`. */
  readonly realLoopback?: boolean;
}

/** The fields of `.assay/demo.json` that are used here. */
export interface Demo {
  readonly apiUrl: string;
  readonly stablecoin: string;
  readonly payTo: string;
  readonly wallets: readonly { readonly address: string }[];
}

/**
 * Returns the allow lists for payments to the demo.
 *
 * @example
 * const { hosts, networks } = allowDemo(demo);
 * console.log(hosts, networks);
 */
export function allowDemo(demo: Demo): Allow {
  return {
    networks: ['eip155:8453'],
    assets: [demo.stablecoin],
    recipients: [demo.payTo],
    hosts: [new URL(demo.apiUrl).host],
    demoWallets: demo.wallets.map(({ address }) => address),
  };
}

/** Checks for one payer. Each throws `not_allowed` or `demo_key`. */
export interface Judge {
  /** Checks whether a request may be sent to a URL. */
  target(url: URL): void;
  /** Returns the cheapest allowed way to pay. */
  invoice(invoice: Invoice, asked: URL): Chosen;
}

export interface Chosen extends Requirement {
  readonly units: bigint;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const UINT256_END = 1n << 256n;

export function createJudge(allow: Allow, payer: string): Judge {
  const networks = listed('networks', /^eip155:[1-9]\d{0,14}$/);
  const assets = listed('assets', ADDRESS);
  const recipients = listed('recipients', ADDRESS);
  const hosts = listed('hosts', /^[^/@?#\s]+$/);
  const demoWallets = allow.demoWallets?.map(lower);
  if (!ADDRESS.test(payer))
    throw failure('config', `The signer's address ${payer} is not valid.`, {});
  if (demoWallets && !demoWallets.includes(lower(payer))) throw demoKey(payer);
  return { target, invoice };

  function listed(name: 'networks' | 'assets' | 'recipients' | 'hosts', form: RegExp) {
    const list: unknown = allow[name];
    if (!Array.isArray(list) || !list.every((one) => form.test(one))) {
      throw failure('config', `allow.${name} must be a list of allowed values.`, {});
    }
    return new Set(list.map(lower));
  }

  function target(url: URL): void {
    const isLocal = isLoopback(url.hostname);
    if (!hosts.has(url.host)) throw notAllowed('host', url.host);
    // Over plain HTTP, an attacker on the network could change the price.
    if (url.protocol !== 'https:' && !isLocal) throw notAllowed('host', url.origin);
    const allowsLocal = allow.allowLoopback || allow.realLoopback || demoWallets;
    if (isLocal && !allowsLocal) throw demoKey(payer);
  }

  function invoice({ resourceUrl, accepts }: Invoice, asked: URL): Chosen {
    if (!isSameResource(resourceUrl, asked)) throw notAllowed('resource', resourceUrl);
    const judged = accepts.map((way) => judge(way));
    const chosen = judged
      .filter((one) => 'units' in one)
      .sort((a, b) => (a.units < b.units ? -1 : 1))[0];
    if (!chosen) throw judged[0];
    return chosen;
  }

  function judge(way: Requirement): Chosen | AssayError<'not_allowed'> {
    const { scheme, network, asset, payTo, amount } = way;
    if (scheme !== 'exact') return notAllowed('scheme', scheme);
    if (!networks.has(network)) return notAllowed('network', network);
    if (!assets.has(lower(asset))) return notAllowed('asset', asset);
    if (!recipients.has(lower(payTo))) return notAllowed('recipient', payTo);
    const units = readUnits(amount);
    return units === undefined
      ? notAllowed('amount', typeof amount === 'string' ? amount : '')
      : { ...way, units };
  }

  /** The seller can encode a URL differently, and use another host name that is allowed. */
  function isSameResource(named: string, asked: URL): boolean {
    if (named === asked.href) return true;
    let url: URL;
    try {
      url = new URL(named);
    } catch {
      return false;
    }
    const sameMachine = isLoopback(url.hostname) && isLoopback(asked.hostname);
    const isKnown = hosts.has(url.host) || (sameMachine && url.port === asked.port);
    return isKnown && spelled(url) === spelled(asked);
  }
}

/** Parses a positive decimal integer; undefined for anything else. */
export function readUnits(amount: unknown): bigint | undefined {
  if (typeof amount !== 'string' || !/^[1-9]\d{0,77}$/.test(amount)) return undefined;
  const units = BigInt(amount);
  return units < UINT256_END ? units : undefined;
}

/** Returns path and query in canonical form. */
function spelled({ pathname, searchParams }: URL): string {
  return JSON.stringify([pathOf(pathname), [...searchParams]]);
}

/** Returns the decoded segments of a path. */
export function pathOf(pathname: string): readonly string[] {
  return pathname.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function lower(text: string): string {
  return text.toLowerCase();
}

function notAllowed(what: Failures['not_allowed']['what'], found: string) {
  const shown = found.slice(0, 100);
  const text = `The seller's ${what} is not in the allow list: ${shown}.`;
  return failure('not_allowed', text, { what, found: shown });
}

function demoKey(address: string) {
  const text = `${address} is not in .assay/demo.json. The demo has the id of a real chain: a payment could be charged there. See allow.allowLoopback.`;
  return failure('demo_key', text, { address });
}
