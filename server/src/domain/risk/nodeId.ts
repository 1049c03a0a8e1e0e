import type { Label } from './graph.ts';

const PREFIXES: Readonly<Record<string, Label>> = {
  pool: 'Pool',
  asset: 'Asset',
  protocol: 'Protocol',
  chain: 'Chain',
};

/** Ids are lower-case throughout, so that an address finds its node in any case. */
export function poolId(chain: string, key: string): string {
  return `pool:${chain}:${key}`.toLowerCase();
}

export function assetId(chain: string, address: string): string {
  return `asset:${chain}:${address}`.toLowerCase();
}

export function protocolId(slug: string): string {
  return `protocol:${slug}`.toLowerCase();
}

export function chainNodeId(slug: string): string {
  return `chain:${slug}`.toLowerCase();
}

/** An id says what it names. */
export function labelOfId(id: string): Label | undefined {
  const prefix = id.slice(0, id.indexOf(':'));
  return Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : undefined;
}
