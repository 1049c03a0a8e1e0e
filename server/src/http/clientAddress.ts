import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { BoundedMap } from '../domain/boundedMap.ts';

const MOST_ADDRESSES = 10_000;

/**
 * Who a request comes from: the other end of its socket, or what the trusted proxies in between say. Anyone can
 * write X-Forwarded-For, so it is read from its end, and only as far as the hops are trusted.
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

/** The list is slow to ask, and the same addresses come again and again. */
function createTrust(entries: readonly string[]): (address: string) => boolean {
  const list = toBlockList(entries);
  const known = new BoundedMap<string, boolean>(MOST_ADDRESSES);
  return (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    // A client that has gone has no address any more.
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

/** IPv4 in the dress of IPv6, as a dual-stack socket reports it, is IPv4. */
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

/** One client: an IPv4 address, or the /64 that an IPv6 client has to itself. */
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
