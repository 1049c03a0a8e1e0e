import { eventTopic, topicAddress, wordAt } from '../chain/abi.ts';
import type { ChainClient, RawLog } from '../chain/chainClient.ts';
import { type Address, type Hex, lower, ZERO_ADDRESS } from '../domain/hex.ts';
import type { AssetMove } from '../domain/vault/paid.ts';
import { TRANSFER } from './vaultLogs.ts';

/** A wrapped native coin is minted and burned by these, without a Transfer. */
const WRAPPED = eventTopic('event Deposit(address indexed dst, uint256 wad)');
const UNWRAPPED = eventTopic('event Withdrawal(address indexed src, uint256 wad)');

interface Sides {
  readonly from: readonly Address[];
  readonly to: readonly Address[];
}

/**
 * Returns transfers of a token in one block from or to certain accounts, by transaction. Native coin that is wrapped
 * comes from the zero address; unwrapped, it goes there.
 */
export async function readMoves(
  client: ChainClient,
  token: Address,
  block: number,
  sides: Sides,
): Promise<ReadonlyMap<Hex, readonly AssetMove[]>> {
  const at = { fromBlock: block, toBlock: block };
  const [from, to] = [sides.from.map(lower), sides.to.map(lower)];
  const first = [...new Set([...from, ...to])].map(topicOf);
  const topics = [
    [from.length === 0 ? [WRAPPED] : [TRANSFER, WRAPPED, UNWRAPPED], first],
    [[TRANSFER], null, to.map(topicOf)],
  ];
  const found = await Promise.all(
    topics.map((one) =>
      one.at(-1)!.length === 0
        ? []
        : client.logs({ ...at, filter: { addresses: [token], topics: one } }),
    ),
  );
  // A transfer with both sides is found twice.
  const all = [...new Map(found.flat().map((log) => [log.logIndex, log])).values()];
  return byTransaction(all, (move) => from.includes(move.from) || to.includes(move.to));
}

/** Returns all transfers of a token in one block, by transaction. A widely used token has many. */
export async function readAllMoves(
  client: ChainClient,
  token: Address,
  block: number,
): Promise<ReadonlyMap<Hex, readonly AssetMove[]>> {
  const filter = { addresses: [token], topics: [[TRANSFER, WRAPPED, UNWRAPPED]] };
  return byTransaction(await client.logs({ fromBlock: block, toBlock: block, filter }), () => true);
}

function byTransaction(
  logs: readonly RawLog[],
  isWanted: (move: AssetMove) => boolean,
): ReadonlyMap<Hex, readonly AssetMove[]> {
  const moves = new Map<Hex, AssetMove[]>();
  for (const log of [...logs.filter(isTransfer), ...logs.filter(isWrapping)]) {
    const own = moves.get(log.transactionHash) ?? [];
    const move = moveOf(log);
    if (!isWanted(move)) continue;
    // Some tokens also emit the Transfer.
    if (isWrapping(log) && own.some((one) => isSame(one, move))) continue;
    moves.set(log.transactionHash, [...own, move]);
  }
  return moves;
}

export function topicOf(address: Address): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** An ERC-20 transfer; an NFT's has the amount among its topics. */
function isTransfer({ topics, data }: RawLog): boolean {
  return topics[0] === TRANSFER && topics.length === 3 && data.length === 66;
}

function isWrapping({ topics, data }: RawLog): boolean {
  return (
    (topics[0] === WRAPPED || topics[0] === UNWRAPPED) && topics.length === 2 && data.length === 66
  );
}

function moveOf({ topics, data }: RawLog): AssetMove {
  const [topic, first, second] = topics;
  const account = topicAddress(first!);
  const amount = wordAt(data, 0);
  if (topic === WRAPPED) return { from: ZERO_ADDRESS, to: account, amount };
  if (topic === UNWRAPPED) return { from: account, to: ZERO_ADDRESS, amount };
  return { from: account, to: topicAddress(second!), amount };
}

function isSame(a: AssetMove, b: AssetMove): boolean {
  return a.from === b.from && a.to === b.to && a.amount === b.amount;
}
