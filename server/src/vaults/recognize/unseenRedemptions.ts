import { topicAddress, wordAt } from '../../chain/abi.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import { topicOf } from '../assetMoves.ts';
import { readPayees } from '../redeemedShares.ts';
import { TRANSFER, WITHDRAW } from '../vaultLogs.ts';
import type { HeldVault } from './custody.ts';
import type { Look } from './readContract.ts';
import { findUnnamedTransfers } from './unnamedTransfers.ts';

/** Maximum number of transactions to check; each takes a request or two. */
const MAX_ASKED = 20;

/** Returns the newest transactions, newest first, in which shares were paid out without a Withdraw event of ERC-4626. */
export async function findUnseenRedemptions(
  look: Look,
  vault: HeldVault,
  options: {
    readonly since: number;
    /** Additional vaults over the share. */
    readonly further: readonly Address[];
    readonly custody: readonly Address[];
    /** Accounts that hold shares taken as fees. */
    readonly feeHolders: readonly Address[];
  },
): Promise<readonly Hex[]> {
  const { since, further, custody, feeHolders } = options;
  const vaults = [vault.address, ...further];
  const systemAccounts = [...new Set([...vaults, vault.share, ...custody])];
  const { transfers: burns } = await findUnnamedTransfers(look, {
    share: vault.share,
    topics: [[TRANSFER], null, [topicOf(ZERO_ADDRESS)]],
    vaults,
    event: WITHDRAW,
    since,
  });
  const unnamed = new Map<Hex, { block: number; shares: bigint; holders: Address[] }>();
  for (const { transactionHash: hash, blockNumber: block, topics, data } of burns) {
    const holder = topicAddress(topics[1]!);
    if (feeHolders.includes(holder)) continue;
    const before = unnamed.get(hash) ?? { shares: 0n, holders: [] };
    const holders = systemAccounts.includes(holder)
      ? before.holders
      : [...new Set([...before.holders, holder])];
    unnamed.set(hash, { block, shares: before.shares + wordAt(data, 0), holders });
  }
  const found: Hex[] = [];
  for (const [hash, burned] of [...unnamed].slice(0, MAX_ASKED)) {
    const { address, asset, share } = vault;
    const asked = { vault: address, asset, share, systemAccounts, hash, ...burned };
    if ((await readPayees(look.client, asked)) !== null) found.push(hash);
  }
  return found;
}

/** What to tell the operator about such transactions; null without one. */
export function describeUnseen(transactions: readonly Hex[]): string | null {
  if (transactions.length === 0) return null;
  return `shares were paid out without a Withdraw event in ${transactions.length} of its newest transactions, such as ${transactions[0]}`;
}
