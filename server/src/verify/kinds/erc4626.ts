import { type Address, lower, ZERO_ADDRESS } from '../../domain/hex.ts';
import { need } from '../ask.ts';
import { type ReadPart, vaultsOf } from '../familyOnChain.ts';
import { findFeeHolders } from '../feeHolders.ts';
import { bookAt } from '../transferBook.ts';
import { type KindReads, NOTHING_WAITING, type Waiting } from './kind.ts';
import { topicsOf } from './topics.ts';

const BALANCE = 'balanceOf(address) view returns (uint256)';

/**
 * It has no queue of its own. If accounts are configured that hold shares for others, no call returns their owners;
 * they are derived from the wallets that sent shares there, and from the shares that were returned or paid.
 */
export const erc4626: KindReads = {
  topics: topicsOf(),
  pricedAt: 'tick',
  custodyIsAsked: false,
  waiters: (part, block) => [...bookAt(part, block).entries.keys()],
  async waiting(part, block, wallets) {
    const { entries } = bookAt(part, block);
    const locked = await readLocked(part, block, wallets);
    return new Map(
      wallets.map((wallet, i): [Address, Waiting] => {
        const queued = entries.get(wallet) ?? 0n;
        const claimable = locked[i]! < queued ? locked[i]! : queued;
        return [wallet, { ...NOTHING_WAITING, pending: queued - claimable, claimable }];
      }),
    );
  },
  async outside(part, block, wallet) {
    const ask = part.askAt(block);
    const queue = await ask<Address>(
      part.chain.address,
      'withdrawalQueue() view returns (address)',
    );
    const named = queue !== undefined && lower(queue) !== ZERO_ADDRESS;
    const of = (name: string) =>
      ask<bigint>(queue!, `${name}(address) view returns (uint256)`, wallet);
    const [pending, ready] = named
      ? await Promise.all([of('pendingAssetsOf'), of('claimableAssetsOf')])
      : [];
    const [shares] = await readLocked(part, block, [wallet]);
    if ((pending === undefined || ready === undefined) && shares === 0n) return null;
    const exit = 'convertToExitAssets(uint256) view returns (uint256)';
    const paid = shares === 0n ? 0n : ((await ask<bigint>(part.chain.address, exit, shares)) ?? 0n);
    return { pendingAssets: pending ?? 0n, claimableAssets: paid + (ready ?? 0n) };
  },
  // A cooldown silo holds assets; shares in the vault itself are locked profit without an owner.
  async findCustody(part, block) {
    const [silo, holders] = await Promise.all([findSilo(part, block), findFeeHolders(part, block)]);
    return [...vaultsOf(part.chain), ...(silo === undefined ? [] : [silo]), ...holders];
  },
  async read(part, block) {
    const { chain, share } = part;
    const ask = part.askAt(block);
    const asset = await need<Address>(ask, chain.address, 'asset() view returns (address)');
    const balances = await Promise.all(
      chain.custody.map((one) => need<bigint>(ask, share, BALANCE, one)),
    );
    const queued = balances.reduce((sum, one) => sum + one, 0n);
    const silo = await findSilo(part, block);
    const cooling = silo === undefined ? 0n : await need<bigint>(ask, asset, BALANCE, silo);
    const signature = 'convertToAssets(uint256) view returns (uint256)';
    const worth = queued === 0n ? 0n : await need<bigint>(ask, chain.address, signature, queued);
    const owed = await readOwed(part, block);
    return { pendingRedemptionAssets: worth + cooling + owed, setAside: 0n, holdsOwnOnly: true };
  },
};

/** Processed shares in custody that their owners can withdraw at any time (Maple). */
async function readLocked(
  { chain, askAt }: ReadPart,
  block: number,
  wallets: readonly Address[],
): Promise<bigint[]> {
  const ask = askAt(block);
  const named = (address: Address | undefined) =>
    address !== undefined && lower(address) !== ZERO_ADDRESS ? address : undefined;
  const manager = named(await ask<Address>(chain.address, 'manager() view returns (address)'));
  const holder =
    manager && named(await ask<Address>(manager, 'withdrawalManager() view returns (address)'));
  if (holder === undefined) return wallets.map(() => 0n);
  const locked = 'lockedShares(address) view returns (uint256)';
  const answers = await Promise.all(wallets.map((wallet) => ask<bigint>(holder, locked, wallet)));
  return answers.map((shares) => shares ?? 0n);
}

/** The debt of a queue that holds nothing itself, if the vault reports one. */
async function readOwed({ chain, askAt }: ReadPart, block: number): Promise<bigint> {
  const ask = askAt(block);
  const queue = await ask<Address>(chain.address, 'withdrawalQueue() view returns (address)');
  if (queue === undefined || lower(queue) === ZERO_ADDRESS) return 0n;
  return (await ask<bigint>(queue, 'pendingAssets() view returns (uint256)')) ?? 0n;
}

async function findSilo({ chain, askAt }: ReadPart, block: number): Promise<Address | undefined> {
  const silo = await askAt(block)<Address>(chain.address, 'silo() view returns (address)');
  if (silo === undefined || lower(silo) === ZERO_ADDRESS) return undefined;
  return vaultsOf(chain).includes(lower(silo)) ? undefined : lower(silo);
}
