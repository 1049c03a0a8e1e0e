import { type Client, vaultPages } from '@assay/client';

export interface BaseAsset {
  readonly symbol: string;
  readonly decimals: number;
}

/** A series of amounts with its asset. */
export interface AmountSeries<Tick> {
  readonly ticks: readonly Tick[];
  readonly asset: BaseAsset;
}

export async function withBaseAsset<Tick>(
  client: Client,
  slug: string,
  asked: Promise<readonly Tick[]>,
): Promise<AmountSeries<Tick>> {
  const [ticks, found] = await Promise.all([asked, findBaseAsset(client, slug)]);
  // A family that was never read has no amounts, so the decimals are not used.
  return { ticks, asset: found ?? { symbol: '', decimals: 0 } };
}

/** Returns the base asset of a family; undefined if the family is unknown or was never read. */
export async function findBaseAsset(client: Client, slug: string): Promise<BaseAsset | undefined> {
  for await (const vaults of vaultPages(client, {})) {
    const found = vaults.find((vault) => vault.slug === slug);
    if (found !== undefined) return found.assets?.base;
  }
  return undefined;
}
