/**
 * The public lists that the graph is filled from, in the shapes of DefiLlama, by the names that the configuration and
 * the command line call them. Whose word counts more stands first.
 */
export const RISK_LISTS = {
  protocols: { what: 'Protocols.', url: 'https://api.llama.fi/protocols' },
  pools: { what: 'Yield pools.', url: 'https://yields.llama.fi/pools' },
  stablecoins: { what: 'Stablecoins.', url: 'https://stablecoins.llama.fi/stablecoins' },
  chains: { what: 'Chains.', url: 'https://api.llama.fi/v2/chains' },
  hacks: { what: 'Past incidents.', url: 'https://api.llama.fi/hacks' },
} as const;

export type RiskListName = keyof typeof RISK_LISTS;
export const RISK_LIST_NAMES = Object.keys(RISK_LISTS) as readonly RiskListName[];

/** Under which a list's records are kept. */
export type ListSource = `defillama-${RiskListName}`;

export function listSource(name: RiskListName): ListSource {
  return `defillama-${name}`;
}

/** "protocols, pools, … or hacks" */
export function listNames(joint: 'or' | 'and'): string {
  return `${RISK_LIST_NAMES.slice(0, -1).join(', ')} ${joint} ${RISK_LIST_NAMES.at(-1)}`;
}
