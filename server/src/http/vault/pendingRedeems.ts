import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { requestIds } from '../../store/history/requestIds.ts';
import type { Store } from '../../store/store.ts';
import { type PendingRedeem, readPendingRedeems } from '../../vaults/pendingRedeems.ts';
import type { Route } from '../route.ts';
import { type BookedRedeems, createBookedRedeems } from './bookedRedeems.ts';
import type { LiveChains } from './liveChains.ts';
import {
  type PendingRedeems,
  pendingRedeemsExample,
  pendingRedeemsSchema,
  type RedeemEntry,
} from './pendingRedeemsSchema.ts';
import { type Before, createQueuesBefore, type QueuesBefore } from './queuedBefore.ts';
import { createSharedReads, type QueuePlace, readQueues } from './readQueues.ts';
import { getRequestedRedeems } from './requestedRedeems.ts';
import { readWallet, walletParameters } from './walletParameters.ts';
import { loadWalletQueues, MAX_REQUESTS } from './walletQueues.ts';

export interface PendingRedeemDeps {
  readonly config: Config;
  readonly store: Store;
  readonly chains: LiveChains;
}

const DESCRIPTION = `Returns a wallet's queued redemptions, read live at each chain's latest block (one multicall per chain, with a deadline of a few seconds). Chains that do not respond are listed in incompleteChains; nothing is reported as zero in their place.

requestedAssets is the amount reserved at request time, if the vault reserves one; currentAssets is what the shares convert to now. A redemption belongs to the wallet that will be paid: the receiver, or the controller in ERC-7540. Plain ERC-4626 vaults have no queue; if shares wait in an external queue contract, the entry is derived from indexed transfers into that custody account, and the queue itself is read for claimable amounts (Maple) and for amounts owed for burned shares (Mellow). Vaults over one share token (ERC-7575) have separate entries, each in its own base asset. For ERC-7540 vaults with numbered requests, every request number in the wallet's indexed logs is read and summed; above ${MAX_REQUESTS} requests, the ${MAX_REQUESTS} largest and the ${MAX_REQUESTS} newest, so that spam requests in the wallet's name hide nothing. If some are left out, or indexing is incomplete, the chain is listed in incompleteChains. Other ERC-7540 vaults are read under request id 0. Claimable amounts are included for both.`;

/** GET /v1/users/{walletAddress}/pending-redeems */
export function pendingRedeemRoutes(deps: PendingRedeemDeps): Route[] {
  const shared = createSharedReads<PendingRedeems>();
  const queues = createQueuesBefore(deps);
  const booked = createBookedRedeems(deps);
  return [
    {
      path: '/v1/users/{walletAddress}/pending-redeems',
      access: 'open',
      operationId: 'getPendingRedeems',
      summary: 'Get the pending redemptions of a wallet',
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
        return shared(key, () =>
          getPendingRedeems(deps, { queues, booked }, wallet, asked, request.now),
        );
      },
    },
  ];
}

async function getPendingRedeems(
  deps: PendingRedeemDeps,
  parts: { readonly queues: QueuesBefore; readonly booked: BookedRedeems },
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
  const plain = parts.booked.of(wallet, asked);
  const requested = getRequestedRedeems(deps, wallet, asked);
  const { entries, incompleteChains } = await readQueues(deps.chains, queues, {
    read: (client, block, own) => readPendingRedeems(client, block, wallet, own),
    isEmpty: ({ shares, claimable }: PendingRedeem) =>
      shares === 0n && (claimable?.shares ?? 0n) === 0n,
    present: entryOf,
  });
  const booked = await plain;
  const indexed = [...booked.redeems, ...(await requested)].map(({ place, pending }) =>
    entryOf(place, pending),
  );
  const redeems = [...entries, ...indexed].map(async (entry) => {
    return { ...entry, ...(await parts.queues.of(wallet, entry)) };
  });
  const incomplete = new Set([...incompleteChains, ...booked.incompleteChains]);
  return {
    redeems: await Promise.all(redeems),
    incompleteChains: [...incomplete].sort((a, b) => a - b),
  };
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
