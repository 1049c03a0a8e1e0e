import { type Client, listVaults } from '@assay/client';

export interface BaseAsset {
  readonly symbol: string;
  readonly decimals: number;
}

/** Of a family that was never read nothing is known, and there is no amount to write with it either. */
export async function getBaseAsset(client: Client, slug: string): Promise<BaseAsset> {
  const vaults = await listVaults(client);
  return vaults.find((vault) => vault.slug === slug)?.assets?.base ?? { symbol: '', decimals: 0 };
}
