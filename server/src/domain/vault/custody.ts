import { type Address, ZERO_ADDRESS } from '../hex.ts';
import { type Accounts, isSystemAccount, isWallet } from '../wallet/accounts.ts';
import type { EventOf, VaultEvent } from './event.ts';
import type { WalletQueue } from './queue.ts';

/**
 * Finds accounts that hold shares for others and are not configured: those that received the shares of a request, or
 * the shares of a deposit that the contract counts as settled for a wallet.
 */
export function findCustody(
  block: readonly VaultEvent[],
  accounts: Accounts,
  after: ReadonlyMap<Address, WalletQueue> | undefined,
  before: (wallet: Address) => WalletQueue,
): Address[] {
  // Most blocks have none, and this runs for every block.
  if (after === undefined && !block.some(isRequest)) return [];
  const found = new Set<Address>();
  for (const event of block) {
    if (!isRequest(event)) continue;
    // The transfer can be before or after the event. Anyone can add transfers that look alike, to misattribute a
    // wallet's shares: a known account wins, and among several unknown ones none is trusted.
    const moved = block.filter(
      (one): one is EventOf<'transfer'> =>
        one.kind === 'transfer' &&
        one.txHash === event.txHash &&
        one.shares === event.shares &&
        one.from === event.owner,
    );
    if (moved.some(({ to }) => isSystemAccount(accounts, to))) continue;
    const holders = new Set(moved.map(({ to }) => to).filter((to) => isHolder(to, event.receiver)));
    if (holders.size === 1) for (const holder of holders) found.add(holder);
  }
  let settled = 0n;
  for (const [wallet, queue] of after ?? []) {
    const more = queue.depositShares - before(wallet).depositShares;
    if (more > 0n) settled += more;
  }
  if (settled > 0n) {
    for (const event of block) {
      if (event.kind !== 'transfer' || event.from !== ZERO_ADDRESS) continue;
      // Rounding leaves a few more units in custody than the contract counts.
      const isTheirs = event.shares >= settled && event.shares - settled <= BigInt(after!.size);
      if (!isTheirs || after!.has(event.to) || isBought(event)) continue;
      if (isHolder(event.to)) found.add(event.to);
    }
  }
  return [...found];

  /** Whether the shares were minted for the depositor directly, so that their owner is clear. */
  function isBought({ txHash, to, shares }: EventOf<'transfer'>): boolean {
    return block.some(
      (one) =>
        one.kind === 'deposit' &&
        one.txHash === txHash &&
        one.owner === to &&
        one.shares === shares,
    );
  }

  function isHolder(account: Address, receiver?: Address): boolean {
    return account !== receiver && isWallet(accounts, account);
  }
}

function isRequest(event: VaultEvent): event is EventOf<'redeem-request'> {
  return event.kind === 'redeem-request';
}
