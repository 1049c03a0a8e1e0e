/** Descriptions of chain states, shared by all pages. */
const TEXTS: Readonly<Record<string, string>> = {
  syncing: 'is still syncing',
  unreachable: 'is unreachable',
  unconfigured: 'has no RPC URL',
  stale: 'is out of date: no indexer is running',
  halted: 'is halted',
};

/** Returns a description such as "arbitrum is unreachable". */
export function chainStateText(name: string, state: string): string {
  return `${name} ${TEXTS[state] ?? state}`;
}
