import { type AssayError, type Failures, failure } from '../wire/errors.ts';
import type { Invoice, Requirement } from './invoice.ts';

/** Who may be paid, in what and where. What is not listed is not paid. */
export interface Allow {
  /** CAIP-2 ids: eip155:8453 */
  readonly networks: readonly string[];
  /** Contracts of stablecoins. They share the budget, so all must have the same decimals. */
  readonly assets: readonly string[];
  /** Addresses that may be paid. */
  readonly recipients: readonly string[];
  /** Hosts with their port, where it is not the usual one: api.example.com, 127.0.0.1:8080 */
  readonly hosts: readonly string[];
  /** The demo's own wallets; `allowDemo` fills it in. */
  readonly demoWallets?: readonly string[];
  /**
   * A seller on this machine is taken for the demo, and paid with the demo's keys only. True: it is none, and settles
   * on the real chain.
   */
  readonly realLoopback?: boolean;
}

/** `.assay/demo.json`, as far as it is used here. */
export interface Demo {
  readonly apiUrl: string;
  readonly stablecoin: string;
  readonly payTo: string;
  readonly wallets: readonly { readonly address: string }[];
}

/** What a payment to the demo needs to be allowed. */
export function allowDemo(demo: Demo): Allow {
  return {
    networks: ['eip155:8453'],
    assets: [demo.stablecoin],
    recipients: [demo.payTo],
    hosts: [new URL(demo.apiUrl).host],
    demoWallets: demo.wallets.map(({ address }) => address),
  };
}

/** Judges for one payer. Each throws not_allowed or demo_key with the reason. */
export interface Judge {
  /** Whether a request may go there at all. */
  target(url: URL): void;
  /** The cheapest way to pay that is allowed. */
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
  if (!ADDRESS.test(payer)) throw failure('config', `${payer} is no address to pay from`, {});
  if (demoWallets && !demoWallets.includes(lower(payer))) throw demoKey(payer);
  return { target, invoice };

  function listed(name: 'networks' | 'assets' | 'recipients' | 'hosts', form: RegExp) {
    const list: unknown = allow[name];
    if (!Array.isArray(list) || !list.every((one) => form.test(one))) {
      throw failure('config', `allow.${name} must be a list of what may be paid`, {});
    }
    return new Set(list.map(lower));
  }

  function target(url: URL): void {
    const isLocal = isLoopback(url.hostname);
    if (!hosts.has(url.host)) throw notAllowed('host', url.host);
    // Who can change what is read can name another price.
    if (url.protocol !== 'https:' && !isLocal) throw notAllowed('host', url.origin);
    if (isLocal && !allow.realLoopback && !demoWallets) throw demoKey(payer);
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
    return units === undefined ? notAllowed('amount', String(amount)) : { ...way, units };
  }

  /** The seller may spell an address in its own way, and call itself by another name that is allowed. */
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

/** Positive decimal integers and nothing else. */
export function readUnits(amount: unknown): bigint | undefined {
  if (typeof amount !== 'string' || !/^[1-9]\d{0,77}$/.test(amount)) return undefined;
  const units = BigInt(amount);
  return units < UINT256_END ? units : undefined;
}

/** Path and query, however they are encoded. */
function spelled({ pathname, searchParams }: URL): string {
  const path = pathname.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return JSON.stringify([path, [...searchParams]]);
}

export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function lower(text: string): string {
  return text.toLowerCase();
}

function notAllowed(what: Failures['not_allowed']['what'], found: string) {
  const shown = found.slice(0, 100);
  const words = `the seller asks for a ${what} that is not allowed: ${shown}`;
  return failure('not_allowed', words, { what, found: shown });
}

function demoKey(address: string) {
  const words = `${address} is no wallet of the demo. The demo's chain has the id, the stablecoin and the signing domain of a real one: what another key signs for it could be spent there. Pay it with a wallet of .assay/demo.json (allowDemo), or say allow.realLoopback when a seller on this machine is not the demo.`;
  return failure('demo_key', words, { address });
}
