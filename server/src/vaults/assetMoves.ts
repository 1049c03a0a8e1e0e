import { topicAddress, wordAt } from '../chain/abi.ts';
import type { ChainClient, RawLog } from '../chain/chainClient.ts';
import type { Address, Hex } from '../domain/hex.ts';
import type { AssetMove } from '../domain/vault/paid.ts';
import { TRANSFER } from './vaultLogs.ts';

/** Returns transfers of a token in one block from or to certain accounts, by transaction. */
export async function readMoves(
  client: ChainClient,
  token: Address,
  block: number,
  sides: { readonly from: readonly Address[]; readonly to: readonly Address[] },
): Promise<ReadonlyMap<Hex, readonly AssetMove[]>> {
  const at = { fromBlock: block, toBlock: block };
  const topics = [
    [[TRANSFER], sides.from.map(topicOf)],
    [[TRANSFER], null, sides.to.map(topicOf)],
  ];
  const found = await Promise.all(
    topics.map((one) =>
      one.at(-1)!.length === 0
        ? []
        : client.logs({ ...at, filter: { addresses: [token], topics: one } }),
    ),
  );
  const moves = new Map<Hex, AssetMove[]>();
  // A transfer with both sides is found twice.
  const all = new Map(found.flat().map((log) => [log.logIndex, log]));
  for (const log of all.values()) {
    const { transactionHash } = log;
    if (isTransfer(log))
      moves.set(transactionHash, [...(moves.get(transactionHash) ?? []), moveOf(log)]);
  }
  return moves;
}

export function topicOf(address: Address): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** An ERC-20 transfer; an NFT's has the amount among its topics. */
function isTransfer({ topics, data }: RawLog): boolean {
  return topics.length === 3 && data.length === 66;
}

function moveOf({ topics, data }: RawLog): AssetMove {
  return {
    from: topicAddress(topics[1]!),
    to: topicAddress(topics[2]!),
    amount: wordAt(data, 0),
  };
}
