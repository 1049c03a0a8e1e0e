import { topicAddress, wordAt } from '../../chain/abi.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import { topicOf } from '../assetMoves.ts';
import { readsAsBought } from '../boughtShares.ts';
import { DEPOSIT, TRANSFER } from '../vaultLogs.ts';
import type { HeldVault } from './custody.ts';
import type { Look } from './readContract.ts';
import { findUnnamedTransfers } from './unnamedTransfers.ts';

/** What the newest mints of a share show about the vault's events. */
export interface UnseenDeposits {
  /** Transactions in which shares were bought without a Deposit event, newest first. */
  readonly transactions: readonly Hex[];
  /** Whether the vault emits Deposit at all. */
  readonly hasDeposits: boolean;
}

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
  const { transfers: mints, hasEvents: hasDeposits } = await findUnnamedTransfers(look, {
    share: vault.share,
    topics: [[TRANSFER], [topicOf(ZERO_ADDRESS)]],
    vaults,
    event: DEPOSIT,
    since: options.since,
  });
  const unnamed = new Map<Hex, { block: number; shares: bigint; receivers: Address[] }>();
  for (const { transactionHash: hash, blockNumber: block, topics, data } of mints) {
    const to = topicAddress(topics[2]!);
    if (systemAccounts.includes(to)) continue;
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
  return { transactions, hasDeposits };
}

/** Returns why the vault cannot be read, or null: one such sale may belong to a vault's setup, two do not. */
export function whyUnseen({ transactions, hasDeposits }: UnseenDeposits): string | null {
  if (hasDeposits || transactions.length < 2) return null;
  return `sells shares without a Deposit event of ERC-4626, as in transaction ${transactions[0]}, so no deposit and no cost could be served`;
}
