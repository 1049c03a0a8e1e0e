import type { ChainClient, Header } from '../../chain/chainClient.ts';
import { BlockGone } from '../read/logRanges.ts';

/** Returns the header of a block that the RPC endpoint reported before. Throws BlockGone if it is missing. */
export async function headerOf(client: ChainClient, number: number): Promise<Header> {
  const header = await client.header(number);
  if (header === null) throw new BlockGone(number);
  return header;
}
