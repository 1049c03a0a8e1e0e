import { type Address, ZERO_ADDRESS } from '../hex.ts';
import { type Accounts, isHouse, isWallet } from '../wallet/accounts.ts';
import type { EventOf, VaultEvent } from './event.ts';
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
  // Most blocks show none, and this runs for every one.
  if (after === undefined && !block.some(isRequest)) return [];
  const found = new Set<Address>();
  for (const event of block) {
    if (!isRequest(event)) continue;
    // Before or after the event, as the vault has it. Anybody can add transfers that look like it, and make a victim of
    // a wallet: where one goes to an account that is known it is that one, and of several others none is believed.
    const moved = block.filter(
      (one): one is EventOf<'transfer'> =>
        one.kind === 'transfer' &&
        one.txHash === event.txHash &&
        one.shares === event.shares &&
        one.from === event.owner,
    );
    if (moved.some(({ to }) => isHouse(accounts, to))) continue;
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
      // Rounding leaves a few units more in custody than are counted for anybody.
      const isTheirs = event.shares >= settled && event.shares - settled <= BigInt(after!.size);
      if (!isTheirs || after!.has(event.to) || isBought(event)) continue;
      if (isHolder(event.to)) found.add(event.to);
    }
  }
  return [...found];

  /** Made for who deposited at once, and whose they are is plain. */
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
