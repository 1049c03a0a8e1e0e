import { type Address, lower, ZERO_ADDRESS } from '../../domain/hex.ts';
import { need } from '../ask.ts';
import { getCustodyHoldings } from '../custodyHoldings.ts';
import { type DeploymentReads, vaultsOf } from '../deployment.ts';
import { findFeeHolders } from '../feeHolders.ts';
import { type KindReads, NOTHING_PENDING, type PendingShares } from './kind.ts';
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
  pendingWallets: (deployment, block) => [...getCustodyHoldings(deployment, block).entries.keys()],
  async readPending(deployment, block, wallets) {
    const { entries } = getCustodyHoldings(deployment, block);
    const processed = await readProcessed(deployment, block, wallets);
    return new Map(
      wallets.map((wallet, i): [Address, PendingShares] => {
        const queued = entries.get(wallet) ?? 0n;
        const claimable = processed[i]! < queued ? processed[i]! : queued;
        return [wallet, { ...NOTHING_PENDING, pending: queued - claimable, claimable }];
      }),
    );
  },
  async outside(deployment, block, wallet) {
    const ask = deployment.askAt(block);
    const queue = await ask<Address>(
      deployment.chain.address,
      'withdrawalQueue() view returns (address)',
    );
    const named = queue !== undefined && lower(queue) !== ZERO_ADDRESS;
    const of = (name: string) =>
      ask<bigint>(queue!, `${name}(address) view returns (uint256)`, wallet);
    const [pending, ready] = named
      ? await Promise.all([of('pendingAssetsOf'), of('claimableAssetsOf')])
      : [];
    const [shares] = await readProcessed(deployment, block, [wallet]);
    if ((pending === undefined || ready === undefined) && shares === 0n) return null;
    const exit = 'convertToExitAssets(uint256) view returns (uint256)';
    const paid =
      shares === 0n ? 0n : ((await ask<bigint>(deployment.chain.address, exit, shares)) ?? 0n);
    return { pendingAssets: pending ?? 0n, claimableAssets: paid + (ready ?? 0n) };
  },
  // A cooldown silo holds assets; shares in the vault itself are locked profit without an owner.
  async findCustody(deployment, block) {
    const [silo, holders] = await Promise.all([
      findSilo(deployment, block),
      findFeeHolders(deployment, block),
    ]);
    return [...vaultsOf(deployment.chain), ...(silo === undefined ? [] : [silo]), ...holders];
  },
  async read(deployment, block) {
    const { chain, share } = deployment;
    const ask = deployment.askAt(block);
    const asset = await need<Address>(ask, chain.address, 'asset() view returns (address)');
    const balances = await Promise.all(
      chain.custody.map((one) => need<bigint>(ask, share, BALANCE, one)),
    );
    const queued = balances.reduce((sum, one) => sum + one, 0n);
    const silo = await findSilo(deployment, block);
    const cooling = silo === undefined ? 0n : await need<bigint>(ask, asset, BALANCE, silo);
    const signature = 'convertToAssets(uint256) view returns (uint256)';
    const worth = queued === 0n ? 0n : await need<bigint>(ask, chain.address, signature, queued);
    const owed = await readOwed(deployment, block);
    return { pendingRedemptionAssets: worth + cooling + owed, reserved: 0n, holdsOwnOnly: true };
  },
};

/** Processed shares in custody that their owners can withdraw at any time (Maple); its cyclical queue has none. */
async function readProcessed(
  { chain, askAt }: DeploymentReads,
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
  const manual = 'manualSharesAvailable(address) view returns (uint256)';
  const answers = await Promise.all(wallets.map((wallet) => ask<bigint>(holder, manual, wallet)));
  return answers.map((shares) => shares ?? 0n);
}

/** The debt of a queue that holds nothing itself, if the vault reports one. */
async function readOwed({ chain, askAt }: DeploymentReads, block: number): Promise<bigint> {
  const ask = askAt(block);
  const queue = await ask<Address>(chain.address, 'withdrawalQueue() view returns (address)');
  if (queue === undefined || lower(queue) === ZERO_ADDRESS) return 0n;
  return (await ask<bigint>(queue, 'pendingAssets() view returns (uint256)')) ?? 0n;
}

async function findSilo(
  { chain, askAt }: DeploymentReads,
  block: number,
): Promise<Address | undefined> {
  const silo = await askAt(block)<Address>(chain.address, 'silo() view returns (address)');
  if (silo === undefined || lower(silo) === ZERO_ADDRESS) return undefined;
  return vaultsOf(chain).includes(lower(silo)) ? undefined : lower(silo);
}
