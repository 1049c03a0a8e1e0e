import { getVault, type Vault } from '@assay/client';
import type { FreeTool } from './tool.ts';

const MAX_FAMILIES = 8;

/** The main values of several families side by side. */
export const compareTool: FreeTool = {
  name: 'assay_compare',
  title: 'Compare vault families',
  description:
    'Main values of several families side by side: TVL, APY, share price, idle assets, pending exits, and the largest pool.',
  operations: ['getVault'],
  input: () => ({
    type: 'object',
    properties: {
      slugs: {
        type: 'array',
        items: { type: 'string' },
        minItems: 2,
        maxItems: MAX_FAMILIES,
        uniqueItems: true,
      },
    },
    required: ['slugs'],
    additionalProperties: false,
  }),
  async run(client, { slugs }, signal) {
    const vaults = await Promise.all(
      (slugs as readonly string[]).map((slug) => getVault(client, { slug, signal })),
    );
    return { answer: { families: vaults.map(outlineOf) } };
  },
};

function outlineOf({ slug, name, stats }: Vault) {
  const { updatedAt, baseAssetDecimals, tvl, tvlUsd, idle, pendingExits, assetsPerShare } = stats;
  const { apy, apy1d, apy7d, apy30d, baseAsset } = stats;
  const [largest] = [...stats.pools].sort((a, b) => b.allocationBps - a.allocationBps);
  return {
    ...{ slug, name, updatedAt, baseAsset, baseAssetDecimals, tvl, tvlUsd },
    ...{ apy, apy1d, apy7d, apy30d, assetsPerShare, idle, pendingExits },
    pools: stats.pools.length,
    largestPool: largest && {
      name: largest.name,
      allocationBps: largest.allocationBps,
      riskScore: largest.riskScore,
    },
  };
}
