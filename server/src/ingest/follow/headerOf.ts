import type { ChainClient, Header } from '../../chain/chainClient.ts';
import { BlockGone } from '../read/logRanges.ts';

/** The header of a block that the node had reported. */
export async function headerOf(client: ChainClient, number: number): Promise<Header> {
  const header = await client.header(number);
  if (header === null) throw new BlockGone(number);
  return header;
}
