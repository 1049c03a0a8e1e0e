import { need } from '../ask.ts';
import { vaultsOf } from '../deployment.ts';
import { type KindReads, NOTHING_PENDING, type PendingShares } from './kind.ts';
import { topicsOf } from './topics.ts';

const PENDING = 'pendingRedeemRequest(address) view returns (uint256, uint256)';
const ALL_PENDING = 'totalPendingAssets() view returns (uint256)';

/** Redemptions are pending in the vault itself, by receiver, and are paid without a claim. */
export const receiverQueue: KindReads = {
  topics: topicsOf(
    'RedeemRequest(address,address,uint256,uint256,bool)',
    'RequestFulfilled(address,uint256,uint256)',
    'RequestCancelled(address,uint256,uint256)',
  ),
  pricedAt: 'newest',
  custodyIsAsked: true,
  pendingWallets({ logs }, block) {
    const named = logs.requests.filter((request) => request.block <= block);
    return [...new Set(named.map(({ controller }) => controller))];
  },
  async readPending({ chain, askAt }, block, wallets) {
    const ask = askAt(block);
    const found = await Promise.all(
      wallets.map((wallet) => need<[bigint, bigint]>(ask, chain.address, PENDING, wallet)),
    );
    return new Map(
      wallets.map((wallet, i): [typeof wallet, PendingShares] => [
        wallet,
        { ...NOTHING_PENDING, pending: found[i]![1] },
      ]),
    );
  },
  async findCustody({ chain }) {
    return vaultsOf(chain);
  },
  async read({ chain, askAt }, block) {
    const pendingRedemptionAssets = await need<bigint>(askAt(block), chain.address, ALL_PENDING);
    return { pendingRedemptionAssets, reserved: 0n, holdsOwnOnly: true };
  },
};
