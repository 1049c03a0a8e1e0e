import type { Address } from '../../domain/hex.ts';
import { type Ask, need } from '../ask.ts';
import { type DeploymentReads, vaultsOf } from '../deployment.ts';
import { findEscrows } from '../findEscrows.ts';
import type { LoggedRequest } from '../vaultLogs.ts';
import {
  type KindReads,
  NOTHING_PENDING,
  type PendingShares,
  plus,
  type ReportedState,
} from './kind.ts';
import { topicsOf } from './topics.ts';

const BALANCE = 'balanceOf(address) view returns (uint256)';
const request = (name: string) => `${name}(uint256, address) view returns (uint256)`;

/** Requests by ID and controller; settled requests remain until claimed. */
export const erc7540: KindReads = {
  topics: topicsOf(
    'DepositRequest(address,address,uint256,address,uint256)',
    'RedeemRequest(address,address,uint256,address,uint256)',
    'DepositSync(address,address,uint256,uint256)',
    'WithdrawSync(address,address,address,uint256,uint256)',
    'DepositRequestCanceled(uint256,address)',
    'RedeemRequestCanceled(uint256,address,uint256)',
    'RedeemRequestCancelled(address,address)',
    'SettleDeposit(uint40,uint40,uint256,uint256,uint256,uint256)',
    'SettleRedeem(uint40,uint40,uint256,uint256,uint256,uint256)',
    'DepositClaimable(address,uint256,uint256,uint256)',
    'RedeemClaimable(address,uint256,uint256,uint256)',
    'CancelDepositRequest(address,uint256,address)',
    'CancelDepositClaimable(address,uint256,uint256)',
    'CancelDepositClaim(address,address,uint256,address,uint256)',
    'CancelRedeemRequest(address,uint256,address)',
    'CancelRedeemClaimable(address,uint256,uint256)',
    'CancelRedeemClaim(address,address,uint256,address,uint256)',
    // Totals are read at every relevant block; an operator approval changes no amount.
    'TotalAssetsUpdated(uint256)',
    'NewTotalAssetsUpdated(uint256)',
    'OperatorSet(address,address,bool)',
  ),
  pricedAt: 'tick',
  custodyIsAsked: true,
  pendingWallets({ logs }, block) {
    const named = logs.requests.filter((one) => one.block <= block);
    return [...new Set(named.map(({ controller }) => controller))];
  },
  async readPending(deployment, block, wallets) {
    const ask = deployment.askAt(block);
    const ids = idsOf(deployment, block);
    const found = await Promise.all(
      wallets.map(async (wallet) => {
        const each = vaultsOf(deployment.chain).map((vault) => askVault(ask, vault, wallet, ids));
        return (await Promise.all(each)).reduce(plus, NOTHING_PENDING);
      }),
    );
    return new Map(wallets.map((wallet, i) => [wallet, found[i]!]));
  },
  findCustody: findEscrows,
  read,
};

type Ids = (vault: Address, side: LoggedRequest['side'], controller: Address) => readonly bigint[];

/** Request IDs from logs, besides 0, which means any or the latest. */
function idsOf({ logs }: DeploymentReads, block: number): Ids {
  const known = new Map<string, Set<bigint>>();
  for (const { block: at, vault, side, controller, id } of logs.requests) {
    if (at > block || id === null || id === 0n) continue;
    const key = `${vault} ${side} ${controller}`;
    known.set(key, (known.get(key) ?? new Set()).add(id));
  }
  return (...key) => [...(known.get(key.join(' ')) ?? [])];
}

/** A wallet's requests as the vault reports them, over all IDs. */
function overRequests(ask: Ask, ids: Ids) {
  return async (vault: Address, name: string, side: LoggedRequest['side'], wallet: Address) => {
    const numbers = ids(vault, side, wallet);
    const [any, ...each] = await Promise.all(
      [0n, ...numbers].map((id) => ask<bigint>(vault, request(name), id, wallet)),
    );
    const sum = each.reduce<bigint>((total, one) => total + (one ?? 0n), 0n);
    // If 0 means the latest request, the sum over all IDs already includes it.
    return (any ?? 0n) > sum ? any! : sum;
  };
}

async function askVault(
  ask: Ask,
  vault: Address,
  wallet: Address,
  ids: Ids,
): Promise<PendingShares> {
  const requests = overRequests(ask, ids);
  const over = (name: string, side: LoggedRequest['side']) => requests(vault, name, side, wallet);
  const [pending, claimable, returning, settled] = await Promise.all([
    over('pendingRedeemRequest', 'redeem'),
    over('claimableRedeemRequest', 'redeem'),
    over('claimableCancelRedeemRequest', 'redeem'),
    over('claimableDepositRequest', 'deposit'),
  ]);
  const pendingShares = { ...NOTHING_PENDING, pending, claimable, returning };
  // A vault without a deposit queue uses maxMint for its remaining capacity.
  if (settled === 0n) return pendingShares;
  const deposits = await need<bigint>(
    ask,
    vault,
    'maxMint(address) view returns (uint256)',
    wallet,
  );
  if (deposits > 0n) return { ...pendingShares, deposits };
  const paused = await ask<boolean>(vault, 'paused() view returns (bool)');
  const unknown = `${vault} is paused and does not say how many shares wait for ${wallet}`;
  return paused === true ? { ...pendingShares, unknown } : pendingShares;
}

async function read(deployment: DeploymentReads, block: number): Promise<ReportedState> {
  const { chain } = deployment;
  const ask = deployment.askAt(block);
  const pendingWallets = erc7540.pendingWallets(deployment, block);
  const all = await erc7540.readPending(deployment, block, pendingWallets);
  const pending = [...all.values()].reduce((sum, one) => sum + one.pending, 0n);
  const pendingRedemptionAssets =
    pending === 0n
      ? 0n
      : await need<bigint>(
          ask,
          chain.address,
          'convertToAssets(uint256) view returns (uint256)',
          pending,
        );
  const ready = pendingWallets.filter((wallet) => all.get(wallet)!.claimable > 0n);
  const countsClaims = ready.length > 0 && (await holdsAll(deployment, ask, block, pendingWallets));
  const reserved = countsClaims ? 0n : await assetsSetAside(deployment, ask, block, ready);
  return { pendingRedemptionAssets, reserved, holdsOwnOnly: false };
}

/** Whether the vault's total is its balance minus pending deposits: then it includes claimable amounts. */
async function holdsAll(
  deployment: DeploymentReads,
  ask: Ask,
  block: number,
  pendingWallets: readonly Address[],
): Promise<boolean> {
  const vault = deployment.chain.address;
  const asset = await need<Address>(ask, vault, 'asset() view returns (address)');
  const over = overRequests(ask, idsOf(deployment, block));
  const sumOf = async (name: string) => {
    const each = await Promise.all(pendingWallets.map((one) => over(vault, name, 'deposit', one)));
    return each.reduce((sum, amount) => sum + amount, 0n);
  };
  const [total, held, pending, claimable] = await Promise.all([
    need<bigint>(ask, vault, 'totalAssets() view returns (uint256)'),
    need<bigint>(ask, asset, BALANCE, vault),
    sumOf('pendingDepositRequest'),
    sumOf('claimableDepositRequest'),
  ]);
  return total === held - pending || total === held - pending - claimable;
}

/** The claimable amount that the vault itself holds; an escrow does not reduce the vault's own assets. */
async function assetsSetAside(
  deployment: DeploymentReads,
  ask: Ask,
  block: number,
  ready: readonly Address[],
): Promise<bigint> {
  if (ready.length === 0) return 0n;
  const vault = deployment.chain.address;
  const signature = 'maxWithdraw(address) view returns (uint256)';
  const asset = await need<Address>(ask, vault, 'asset() view returns (address)');
  const escrows = (await findEscrows(deployment, block)).filter((one) => one !== vault);
  const [owed, held] = await Promise.all([
    Promise.all(ready.map((wallet) => ask<bigint>(vault, signature, wallet))),
    Promise.all(escrows.map((escrow) => need<bigint>(ask, asset, BALANCE, escrow))),
  ]);
  const elsewhere = held.reduce((sum, one) => sum + one, 0n);
  const all = owed.reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n);
  return all > elsewhere ? all - elsewhere : 0n;
}
