import type { Config, FamilyChainConfig, FamilyConfig } from '../config/config.ts';

/** A family on one chain, and its location in the file. */
export interface ConfigLocation {
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  /** Its master family; null: none. */
  readonly master: FamilyConfig | null;
  /** As in "family:svcusd on chain 8453". */
  readonly name: string;
  /** families[0], with its file if the configuration is a folder. */
  readonly familyKey: string;
  /** families[0].chains[1] */
  readonly key: string;
  /** Location of the vault's address. */
  readonly addressKey: string;
}

export function getConfigLocations(config: Config): ConfigLocation[] {
  const bySlug = new Map(config.families.map((family) => [family.slug, family]));
  return config.families.flatMap((family, i) => {
    const familyKey = config.keys?.families[i] ?? `families[${i}]`;
    const master = bySlug.get(family.feederOf ?? '') ?? null;
    return family.chains.map((chain, j) => {
      const key = `${familyKey}.chains[${j}]`;
      const shared = chain.address === family.address;
      return {
        family,
        chain,
        master,
        name: `family:${family.slug} on chain ${chain.chainId}`,
        familyKey,
        key,
        addressKey: shared ? `${familyKey}.address` : `${key}.address`,
      };
    });
  });
}
