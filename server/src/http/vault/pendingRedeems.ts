import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { requestIds } from '../../store/history/requestIds.ts';
import type { Store } from '../../store/store.ts';
import { type PendingRedeem, readPendingRedeems } from '../../vaults/pendingRedeems.ts';
import type { Route } from '../route.ts';
import { getBookedRedeems } from './bookedRedeems.ts';
import type { LiveChains } from './liveChains.ts';
import {
  type PendingRedeems,
  pendingRedeemsExample,
  pendingRedeemsSchema,
  type RedeemEntry,
} from './pendingRedeemsSchema.ts';
import { type Before, createQueuesBefore, type QueuesBefore } from './queuedBefore.ts';
import { createSharedReads, type QueuePlace, readQueues } from './readQueues.ts';
import { readWallet, walletParameters } from './walletParameters.ts';
import { loadWalletQueues, MOST_REQUESTS } from './walletQueues.ts';

export interface PendingRedeemDeps {
  readonly config: Config;
  readonly store: Store;
  readonly chains: LiveChains;
}

const DESCRIPTION = `Redemptions of a wallet that wait in a vault's queue, read live: one multicall per chain at its newest block, all chains at once, with a deadline of a few seconds. A chain that does not answer delays nobody beyond that deadline and is named in incompleteChains; a zero is never invented for it.

requestedAssets is what the request reserved, currentAssets what those shares convert to now. A redemption belongs to the wallet that will be paid (the receiver, or in ERC-7540 the controller). Vaults that pay at once (plain ERC-4626) have no queue; where shares wait at a queue outside of such a vault, that account is custody, and the entry is what the indexed transfers say. Vaults over one share token (ERC-7575) have an entry each, in their own base asset. Of an ERC-7540 vault that numbers its requests every number that its indexed logs gave the wallet is read and added up (of more than ${MOST_REQUESTS} the ${MOST_REQUESTS} biggest and the ${MOST_REQUESTS} newest, so that dust in the wallet's name hides nothing; the chain is named in incompleteChains when some were left out, and while its logs are not all indexed), of any other the requests under its aggregate id 0; and of both the claimable part of all.`;

/** GET /v1/users/{walletAddress}/pending-redeems */
export function pendingRedeemRoutes(deps: PendingRedeemDeps): Route[] {
  const shared = createSharedReads<PendingRedeems>();
  const queues = createQueuesBefore(deps);
  return [
    {
      path: '/v1/users/{walletAddress}/pending-redeems',
      access: 'open',
      operationId: 'getPendingRedeems',
      summary: 'Pending redemptions of a wallet',
      description: DESCRIPTION,
      tag: 'wallets',
      parameters: walletParameters,
      response: pendingRedeemsSchema,
      responseExample: pendingRedeemsExample,
      problems: [400, 404, 429],
      maxAge: 2,
      async answer(request) {
        const { wallet, asked } = readWallet(request, deps.config);
        const key = [wallet, ...asked.map(({ slug }) => slug)].join(' ');
        return shared(key, () => getPendingRedeems(deps, queues, wallet, asked, request.now));
      },
    },
  ];
}

async function getPendingRedeems(
  deps: PendingRedeemDeps,
  before: QueuesBefore,
  wallet: Address,
  asked: readonly FamilyConfig[],
  now: number,
): Promise<PendingRedeems> {
  const queues = await loadWalletQueues(deps, {
    wallet,
    asked,
    now,
    has: ({ walletQueue }) => walletQueue !== null,
    getIds: requestIds.getOfWallet,
  });
  const booked = getBookedRedeems(deps.store.reads, wallet, asked);
  const { entries, incompleteChains } = await readQueues(deps.chains, queues, {
    read: (client, block, own) => readPendingRedeems(client, block, wallet, own),
    isEmpty: ({ shares, claimable }: PendingRedeem) =>
      shares === 0n && (claimable?.shares ?? 0n) === 0n,
    present: entryOf,
  });
  const indexed = (await booked).map(({ place, pending }) => entryOf(place, pending));
  const redeems = [...entries, ...indexed].map(async (entry) => {
    return { ...entry, ...(await before.of(wallet, entry)) };
  });
  return { redeems: await Promise.all(redeems), incompleteChains };
}

function entryOf(place: QueuePlace, pending: PendingRedeem): Omit<RedeemEntry, keyof Before> {
  const { family, chainId, vault, ...units } = place;
  const { claimable } = pending;
  return {
    family,
    chainId,
    vault,
    shares: String(pending.shares),
    requestedAssets: String(pending.requestedAssets),
    currentAssets: String(pending.currentAssets),
    ...units,
    ...(claimable !== null && {
      claimableShares: String(claimable.shares),
      claimableAssets: claimable.assets === null ? null : String(claimable.assets),
    }),
  };
}
