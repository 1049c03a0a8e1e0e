/**
 * The public lists that fill the graph, by their names in the configuration and on the command line; the first wins where
 * they differ. `source` names the stored records of a list.
 */
export const RISK_LISTS = {
  protocols: {
    what: 'Protocols.',
    url: 'https://api.llama.fi/protocols',
    source: 'defillama-protocols',
  },
  pools: { what: 'Yield pools.', url: 'https://yields.llama.fi/pools', source: 'defillama-pools' },
  stablecoins: {
    what: 'Stablecoins.',
    url: 'https://stablecoins.llama.fi/stablecoins',
    source: 'defillama-stablecoins',
  },
  chains: { what: 'Chains.', url: 'https://api.llama.fi/v2/chains', source: 'defillama-chains' },
  hacks: { what: 'Past incidents.', url: 'https://api.llama.fi/hacks', source: 'defillama-hacks' },
} as const;

export type RiskListName = keyof typeof RISK_LISTS;
export const RISK_LIST_NAMES = Object.keys(RISK_LISTS) as readonly RiskListName[];

export type ListSource = (typeof RISK_LISTS)[RiskListName]['source'];

export function listSource(name: RiskListName): ListSource {
  return RISK_LISTS[name].source;
}

/** "protocols, pools, … or hacks" */
export function listNames(joint: 'or' | 'and'): string {
  return `${RISK_LIST_NAMES.slice(0, -1).join(', ')} ${joint} ${RISK_LIST_NAMES.at(-1)}`;
}
