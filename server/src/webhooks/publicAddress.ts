import { BlockList, isIP } from 'node:net';

/** The IANA special-purpose registry, and the one public address that is a cloud's metadata service (Azure). */
const RESERVED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];
/** Parts of the global range that reach IPv4 addresses or are reserved: Teredo and others, examples, and 6to4. */
const RESERVED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const reservedV4 = listOf(RESERVED_V4, 'ipv4');
const reservedV6 = listOf(RESERVED_V6, 'ipv6');
const globalV6 = listOf(['2000::/3'], 'ipv6');
/** IPv4-mapped, and the prefix of NAT64, in canonical form. */
const EMBEDDED_V4 = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** Returns whether an IP address belongs to the public internet. False for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reservedV4.check(address, 'ipv4');
  // A zone is only valid for link-local addresses.
  if (family !== 6 || address.includes('%')) return false;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = EMBEDDED_V4.exec(canonical) ?? [];
  if (high !== undefined && low !== undefined) return isPublicAddress(dotted(high, low));
  return globalV6.check(canonical, 'ipv6') && !reservedV6.check(canonical, 'ipv6');
}

function dotted(...groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 255])
    .join('.');
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, prefix] = range.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
