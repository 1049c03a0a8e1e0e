import { type Client, getStatus } from '@assay/client';
import { plain } from '../../terminal/text.ts';

export type NameOfChain = (chainId: number) => string;

/** What the server calls its chains; a number where it does not say. */
export async function getChainNames(client: Client): Promise<NameOfChain> {
  // Every page has all chains.
  const names = await getStatus(client, { limit: 1 })
    .then(({ chains }) => new Map(chains.map(({ chainId, name }) => [chainId, plain(name)])))
    // A name is decoration: the figures do without.
    .catch(() => new Map<number, string>());
  return (chainId) => names.get(chainId) ?? `${chainId}`;
}
