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
import { loadWalletQueues, MOST_REQUESTS } from './walletQueues.ts';

export interface PendingDepositDeps {
  readonly config: Config;
  readonly store: Store;
  readonly chains: LiveChains;
}

const DESCRIPTION = `Beyond the interface: deposits of a wallet that wait in the queue of an ERC-7540 vault, and those whose shares are ready to be claimed, read live: one multicall per chain at its newest block, all chains at once, with a deadline of a few seconds. A chain that does not answer delays nobody beyond that deadline and is named in incompleteChains; a zero is never invented for it.

A deposit belongs to its controller, the wallet that will claim the shares. History has it once it is claimed. Vaults that give shares at once have no such queue. Vaults over one share token (ERC-7575) have an entry each, in their own base asset. Of a vault that numbers its requests every number that its indexed logs gave the wallet is read and added up (of more than ${MOST_REQUESTS} the ${MOST_REQUESTS} biggest and the ${MOST_REQUESTS} newest, so that dust in the wallet's name hides nothing; the chain is named in incompleteChains when some were left out, and while its logs are not all indexed), of any other the requests under its aggregate id 0.`;

/** GET /v1/users/{walletAddress}/pending-deposits */
export function pendingDepositRoutes(deps: PendingDepositDeps): Route[] {
  const shared = createSharedReads<PendingDeposits>();
  return [
    {
      path: '/v1/users/{walletAddress}/pending-deposits',
      access: 'open',
      operationId: 'getPendingDeposits',
      summary: 'Pending deposits of a wallet',
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
    ...(returnableAssets !== null && { returnableAssets: String(returnableAssets) }),
  };
}
