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
