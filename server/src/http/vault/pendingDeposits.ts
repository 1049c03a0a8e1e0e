import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { depositRequests } from '../../store/requests/depositRequests.ts';
import type { Store } from '../../store/store.ts';
import { type PendingDeposit, readPendingDeposits } from '../../vaults/pendingDeposits.ts';
import type { Route } from '../route.ts';
import type { LiveChains } from './liveChains.ts';
import {
  type DepositEntry,
  type PendingDeposits,
  pendingDepositsExample,
  pendingDepositsSchema,
} from './pendingDepositsSchema.ts';
import { createSharedReads, type QueuePlace, readQueues } from './readQueues.ts';
import { readWallet, walletParameters } from './walletParameters.ts';
import { loadWalletQueues, MAX_REQUESTS } from './walletQueues.ts';

export interface PendingDepositDeps {
  readonly config: Config;
  readonly store: Store;
  readonly chains: LiveChains;
}

const DESCRIPTION = `Returns a wallet's queued deposits in ERC-7540 vaults, and those whose shares are ready to be claimed, read live at each chain's latest block (one multicall per chain, with a deadline of a few seconds). Chains that do not respond are listed in incompleteChains; nothing is reported as zero in their place.

A deposit belongs to its controller, the wallet that will claim the shares. It appears in the history once it is claimed. Vaults that issue shares immediately have no such queue. Vaults over one share token (ERC-7575) have separate entries, each in its own base asset. For vaults with numbered requests, every request number in the wallet's indexed logs is read and summed; above ${MAX_REQUESTS} requests, the ${MAX_REQUESTS} largest and the ${MAX_REQUESTS} newest, so that spam requests in the wallet's name hide nothing. If some are left out, or indexing is incomplete, the chain is listed in incompleteChains. Other vaults are read under request id 0.`;

/** GET /v1/users/{walletAddress}/pending-deposits */
export function pendingDepositRoutes(deps: PendingDepositDeps): Route[] {
  const shared = createSharedReads<PendingDeposits>();
  return [
    {
      path: '/v1/users/{walletAddress}/pending-deposits',
      access: 'open',
      operationId: 'getPendingDeposits',
      summary: 'Get the pending deposits of a wallet',
      description: DESCRIPTION,
      tag: 'wallets',
      parameters: walletParameters,
      response: pendingDepositsSchema,
      responseExample: pendingDepositsExample,
      problems: [400, 404, 429],
      maxAge: 2,
      async answer(request) {
        const { wallet, asked } = readWallet(request, deps.config);
        const key = [wallet, ...asked.map(({ slug }) => slug)].join(' ');
        return shared(key, () => getPendingDeposits(deps, wallet, asked, request.now));
      },
    },
  ];
}

async function getPendingDeposits(
  deps: PendingDepositDeps,
  wallet: Address,
  asked: readonly FamilyConfig[],
  now: number,
): Promise<PendingDeposits> {
  const queues = await loadWalletQueues(deps, {
    wallet,
    asked,
    now,
    has: ({ hasClaims }) => hasClaims,
    getIds: depositRequests.getIdsOfWallet,
  });
  const { entries, incompleteChains } = await readQueues(deps.chains, queues, {
    read: (client, block, own) => readPendingDeposits(client, block, wallet, own),
    isEmpty: ({ assets, claimableAssets, claimableShares, returnableAssets }: PendingDeposit) =>
      [assets, claimableAssets, claimableShares ?? 0n, returnableAssets ?? 0n].every(
        (it) => it === 0n,
      ),
    present: entryOf,
  });
  return { deposits: entries, incompleteChains };
}

function entryOf(place: QueuePlace, pending: PendingDeposit): DepositEntry {
  const { family, chainId, vault, ...units } = place;
  const { claimableShares, returnableAssets } = pending;
  return {
    family,
    chainId,
    vault,
    assets: String(pending.assets),
    claimableAssets: String(pending.claimableAssets),
    claimableShares: claimableShares === null ? null : String(claimableShares),
    ...units,
    // Only vaults over a token queue deposits.
    baseAsset: units.baseAsset!,
    ...(returnableAssets !== null && { returnableAssets: String(returnableAssets) }),
  };
}
