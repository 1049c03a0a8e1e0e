import { type Address, ZERO_ADDRESS } from '../hex.ts';
import { type Accounts, isWallet } from '../wallet/accounts.ts';
import type { VaultEvent } from './event.ts';
import type { WalletQueue } from './queue.ts';

/**
 * Accounts that a block's events show to hold shares for others, although nobody named them: where the shares of a
 * request went, and where those were minted that the contract counts as somebody's settled deposit.
 */
export function findCustody(
  block: readonly VaultEvent[],
  accounts: Accounts,
  after: ReadonlyMap<Address, WalletQueue> | undefined,
  before: (wallet: Address) => WalletQueue,
): Address[] {
  const found = new Set<Address>();
  for (const [i, event] of block.entries()) {
    if (event.kind !== 'redeem-request') continue;
    const moved = block
      .slice(0, i)
      .findLast(
        (one) =>
          one.kind === 'transfer' &&
          one.txHash === event.txHash &&
          one.shares === event.shares &&
          one.from === event.owner,
      );
    if (moved?.kind === 'transfer' && isHolder(moved.to, event.receiver)) found.add(moved.to);
  }
  let settled = 0n;
  for (const [wallet, queue] of after ?? []) {
    const more = queue.depositShares - before(wallet).depositShares;
    if (more > 0n) settled += more;
  }
  if (settled > 0n) {
    for (const event of block) {
      if (event.kind !== 'transfer' || event.from !== ZERO_ADDRESS) continue;
      // Rounding leaves a few units more in custody than are counted for anybody.
      const isTheirs = event.shares >= settled && event.shares - settled <= BigInt(after!.size);
      if (isTheirs && isHolder(event.to) && !after!.has(event.to)) found.add(event.to);
    }
  }
  return [...found];

  function isHolder(account: Address, receiver?: Address): boolean {
    return account !== receiver && isWallet(accounts, account);
  }
}
