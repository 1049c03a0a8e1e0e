import { topicAddress, wordAt } from '../../chain/abi.ts';
import type { RawLog } from '../../chain/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import { topicOf } from '../assetMoves.ts';
import { readsAsBought } from '../boughtShares.ts';
import { DEPOSIT, TRANSFER } from '../vaultLogs.ts';
import type { HeldVault } from './custody.ts';
import type { Look } from './readContract.ts';
import { readRecentLogs } from './recentLogs.ts';

/** What the newest mints of a share show about the vault's events. */
export interface UnseenDeposits {
  /** Transactions in which shares were bought without a Deposit event, newest first. */
  readonly transactions: readonly Hex[];
  /** Whether the vault emits Deposit at all. */
  readonly hasDeposits: boolean;
}

const MAX_MINTS = 200;
const MAX_DEPOSITS = 1_000;
/** Maximum number of transactions to check; each takes a request or two. */
const MAX_ASKED = 20;

/** Returns the newest mints that were bought without a Deposit event of ERC-4626, whose cost would be unknown. */
export async function findUnseenDeposits(
  look: Look,
  vault: HeldVault,
  options: {
    readonly since: number;
    /** Additional vaults over the share. */
    readonly further: readonly Address[];
    readonly custody: readonly Address[];
  },
): Promise<UnseenDeposits> {
  const vaults = [vault.address, ...options.further];
  const systemAccounts = [...new Set([...vaults, vault.share, ...options.custody])];
  const { logs: mints } = await readRecentLogs(look, {
    filter: { addresses: [vault.share], topics: [[TRANSFER], [topicOf(ZERO_ADDRESS)]] },
    since: options.since,
    most: MAX_MINTS,
  });
  const oldest = mints.at(-1)?.blockNumber;
  if (oldest === undefined) return { transactions: [], hasDeposits: false };
  const { logs: deposits, complete } = await readRecentLogs(look, {
    filter: { addresses: vaults, topics: [[DEPOSIT]] },
    since: oldest,
    most: MAX_DEPOSITS,
  });
  // If not all deposits were read, earlier mints are unknown.
  const isCut = !complete || deposits.length === MAX_DEPOSITS;
  const from = isCut ? (deposits.at(-1)?.blockNumber ?? look.block) + 1 : oldest;
  const named = new Set(deposits.map(({ transactionHash }) => transactionHash));
  const unnamed = new Map<Hex, { block: number; shares: bigint; receivers: Address[] }>();
  for (const { transactionHash: hash, blockNumber: block, topics, data } of mints.filter(isWhole)) {
    const to = topicAddress(topics[2]!);
    if (block < from || named.has(hash) || systemAccounts.includes(to)) continue;
    const before = unnamed.get(hash) ?? { shares: 0n, receivers: [] };
    const receivers = [...new Set([...before.receivers, to])];
    unnamed.set(hash, { block, shares: before.shares + wordAt(data, 0), receivers });
  }
  const transactions: Hex[] = [];
  for (const [hash, minted] of [...unnamed].slice(0, MAX_ASKED)) {
    const { address, asset, share } = vault;
    const asked = { vault: address, asset, share, systemAccounts, hash, ...minted };
    if (await readsAsBought(look.client, asked)) transactions.push(hash);
  }
  return { transactions, hasDeposits: deposits.length > 0 };
}

/** Returns why the vault cannot be read, or null: one such sale may belong to a vault's setup, two do not. */
export function whyUnseen({ transactions, hasDeposits }: UnseenDeposits): string | null {
  if (hasDeposits || transactions.length < 2) return null;
  return `sells shares without a Deposit event of ERC-4626, as in transaction ${transactions[0]}, so no deposit and no cost could be served`;
}

function isWhole({ topics, data }: RawLog): boolean {
  return topics.length === 3 && data.length >= 66;
}
