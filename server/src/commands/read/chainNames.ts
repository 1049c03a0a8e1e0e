import { type Client, getStatus } from '@assay/client';
import { plain } from '../../terminal/text.ts';

export type NameOfChain = (chainId: number) => string;

/** Returns the server's chain names, or the chain id if there is no name. */
export async function getChainNames(client: Client): Promise<NameOfChain> {
  // Every page includes all chains.
  const names = await getStatus(client, { limit: 1 })
    .then(({ chains }) => new Map(chains.map(({ chainId, name }) => [chainId, plain(name)])))
    // Names are optional: the data is complete without them.
    .catch(() => new Map<number, string>());
  return (chainId) => names.get(chainId) ?? `${chainId}`;
}
