import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { RateLimitConfig } from '../config/config.ts';
import { BoundedMap } from '../domain/boundedMap.ts';

const MAX_ADDRESSES = 10_000;

/**
 * Returns the client address: the other end of the socket, or the address that trusted proxies report. Any client can
 * send X-Forwarded-For, so it is read from its end, and only as far as the hops are trusted.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => string {
  const isTrusted = createTrust(trustedProxies);
  return (request) => {
    let address = plainAddress(request.socket.remoteAddress ?? '');
    if (trustedProxies.length === 0 || !isTrusted(address)) return address;
    const forwarded = request.headers['x-forwarded-for'];
    const hops = String(forwarded ?? '')
      .split(',')
      .reverse();
    for (const hop of hops) {
      const before = plainAddress(hop.trim());
      if (isIP(before) === 0) break;
      address = before;
      if (!isTrusted(address)) break;
    }
    return address;
  };
}

/** The list is slow to check, and the same addresses repeat. */
function createTrust(entries: readonly string[]): (address: string) => boolean {
  const list = toBlockList(entries);
  const known = new BoundedMap<string, boolean>(MAX_ADDRESSES);
  return (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    // A disconnected client has no address.
    const version = isIP(address);
    const trusted = version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
    known.set(address, trusted);
    return trusted;
  };
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** An IPv4-mapped IPv6 address, as a dual-stack socket reports it, is IPv4. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** The same, by client. */
export function createClientOf(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => string {
  const addressOf = createClientAddress(trustedProxies);
  return (request) => clientKey(addressOf(request));
}

/** The same; undefined for clients without a limit. */
export function createLimitedClientOf(
  config: RateLimitConfig | undefined,
): (request: IncomingMessage) => string | undefined {
  if (config === undefined) return () => undefined;
  const { perSecond, loopback, trustedProxies } = config;
  const addressOf = createClientAddress(trustedProxies);
  return (request) => {
    if (perSecond === 0) return undefined;
    const address = addressOf(request);
    return !loopback && isLoopback(address) ? undefined : clientKey(address);
  };
}

/** Returns the client at the other end of a connection; undefined for a proxy, and for clients without a limit. */
export function createPeerOf({
  trustedProxies,
  loopback,
}: Pick<RateLimitConfig, 'trustedProxies' | 'loopback'>): (socket: Socket) => string | undefined {
  const isTrusted = createTrust(trustedProxies);
  return ({ remoteAddress = '' }) => {
    const address = plainAddress(remoteAddress);
    if (isTrusted(address) || (!loopback && isLoopback(address))) return undefined;
    return clientKey(address);
  };
}

/** Returns whether a request comes directly from a trusted proxy. */
export function createIsProxied(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => boolean {
  const isTrusted = createTrust(trustedProxies);
  return ({ socket }) => isTrusted(plainAddress(socket.remoteAddress ?? ''));
}

/** One client: an IPv4 address, or the /64 of an IPv6 client. */
export function clientKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}
