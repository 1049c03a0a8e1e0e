import { type QueueVault, readPendingRedeems } from '../../chain/pendingRedeems.ts';
import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { families } from '../../store/families/families.ts';
import { requestIds } from '../../store/history/requestIds.ts';
import { loadReadStates } from '../../store/sources/readState.ts';
import type { Store } from '../../store/store.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';
import type { Route } from '../route.ts';
import { patienceOf } from '../status.ts';
import type { LiveChains } from './liveChains.ts';
import {
  type PendingRedeems,
  pendingRedeemsExample,
  pendingRedeemsSchema,
  type RedeemEntry,
} from './pendingRedeemsSchema.ts';
import { readWallet, walletParameters } from './walletParameters.ts';

export interface PendingRedeemDeps {
  readonly config: Config;
  readonly store: Store;
  readonly chains: LiveChains;
}

/** More calls than these make a multicall slow; who has more has long been paid for the oldest. */
const MOST_REQUESTS = 200;

const DESCRIPTION = `Redemptions of a wallet that wait in a vault's queue, read live: one multicall per chain at its newest block, all chains at once, with a deadline of a few seconds. A chain that does not answer delays nobody beyond that deadline and is named in incompleteChains; a zero is never invented for it.

requestedAssets is what the request reserved, currentAssets what those shares convert to now. A redemption belongs to the wallet that will be paid (the receiver, or in ERC-7540 the controller). Vaults that pay at once (plain ERC-4626) have no queue. Of an ERC-7540 vault that numbers its requests every number that its indexed logs gave the wallet is read and added up (the newest ${MOST_REQUESTS}; the chain is named in incompleteChains when there are more, and while its logs are not all indexed), of any other the requests under its aggregate id 0; and of both the claimable part of all.`;

/** GET /v1/users/{walletAddress}/pending-redeems */
export function pendingRedeemRoutes(deps: PendingRedeemDeps): Route[] {
  const underWay = new Map<string, Promise<PendingRedeems>>();

  return [
    {
      path: '/v1/users/{walletAddress}/pending-redeems',
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
        return shared(wallet, asked, request.now);
      },
    },
  ];

  /** The same question at the same moment is asked of the chains once. */
  function shared(
    wallet: Address,
    asked: readonly FamilyConfig[],
    now: number,
  ): Promise<PendingRedeems> {
    const key = `${wallet} ${asked.map(({ slug }) => slug).join(' ')}`;
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const started = getPendingRedeems(deps, wallet, asked, now).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  }
}

/** A queue to read, with what the store knows of its vault there; undefined while nothing is known. */
interface Queue extends QueueVault {
  readonly family: string;
  readonly chainId: number;
  readonly facts: VaultRow | undefined;
  /** Whether all of the wallet's requests are read. */
  readonly whole: boolean;
}

async function getPendingRedeems(
  deps: PendingRedeemDeps,
  wallet: Address,
  asked: readonly FamilyConfig[],
  now: number,
): Promise<PendingRedeems> {
  const queues = await loadQueues(deps, wallet, asked, now);
  const chainIds = [...new Set(queues.map(({ chainId }) => chainId))];
  const parts = await Promise.all(
    chainIds.map((chainId) =>
      readChain(
        deps.chains,
        wallet,
        chainId,
        queues.filter((queue) => queue.chainId === chainId),
      ),
    ),
  );
  const entries = new Map(parts.flatMap(({ found }) => [...found]));
  return {
    // In the order of the configuration, however fast each chain was.
    redeems: queues.flatMap((queue) => entries.get(queue) ?? []),
    incompleteChains: parts
      .filter(({ complete }) => !complete)
      .map(({ chainId }) => chainId)
      .sort((a, b) => a - b),
  };
}

async function loadQueues(
  { store, config }: PendingRedeemDeps,
  wallet: Address,
  asked: readonly FamilyConfig[],
  now: number,
): Promise<Queue[]> {
  const numbering = asked.some(({ adapter }) => adapter === 'erc7540');
  const [rows, known, numbered, states] = await Promise.all([
    families.getAll(store.reads),
    vaults.getAll(store.reads),
    // One more tells that there are more.
    numbering ? requestIds.getOfWallet(store.reads, wallet, MOST_REQUESTS + 1) : [],
    numbering ? loadReadStates(store.reads, patienceOf(config.chains), now) : undefined,
  ]);
  return asked.flatMap(({ slug, address, adapter, chains }) => {
    if (adapter === 'erc4626') return [];
    const familyId = rows.find((row) => row.slug === slug)?.familyId;
    return chains.map(({ chainId }) => {
      const facts = known.find((row) => row.familyId === familyId && row.chainId === chainId);
      const ids = numbered
        .filter((row) => row.familyId === familyId && row.chainId === chainId)
        .map(({ requestId }) => requestId);
      // Numbers come from indexed logs: where some are not yet read, a request may be missing.
      const current = adapter !== 'erc7540' || states?.stateOf(slug, chainId) === 'current';
      const whole = current && ids.length <= MOST_REQUESTS;
      const queue = { address, queue: adapter, requestIds: ids.slice(0, MOST_REQUESTS) };
      return { family: slug, chainId, ...queue, facts, whole };
    });
  });
}

async function readChain(
  chains: LiveChains,
  wallet: Address,
  chainId: number,
  queues: readonly Queue[],
) {
  const known = queues.filter(({ facts }) => facts !== undefined);
  const answers =
    known.length === 0
      ? []
      : await chains.read(chainId, (client, block) =>
          readPendingRedeems(client, block, wallet, known),
        );
  const found = new Map<Queue, RedeemEntry>();
  if (answers === undefined) return { chainId, found, complete: false };
  for (const [i, queue] of known.entries()) {
    const pending = answers[i] ?? null;
    if (pending === null) continue;
    if (pending.shares === 0n && (pending.claimable?.shares ?? 0n) === 0n) continue;
    found.set(queue, entryOf(queue, queue.facts!, pending));
  }
  const whole = known.length === queues.length && queues.every((queue) => queue.whole);
  return { chainId, found, complete: whole && !answers.includes(null) };
}

type Pending = NonNullable<Awaited<ReturnType<typeof readPendingRedeems>>[number]>;

function entryOf(queue: Queue, facts: VaultRow, pending: Pending): RedeemEntry {
  const { claimable } = pending;
  return {
    family: queue.family,
    chainId: queue.chainId,
    vault: checksummed(queue.address),
    shares: String(pending.shares),
    requestedAssets: String(pending.requestedAssets),
    currentAssets: String(pending.currentAssets),
    shareDecimals: facts.shareDecimals,
    baseAsset: checksummed(facts.asset),
    baseAssetDecimals: facts.assetDecimals,
    baseAssetSymbol: facts.assetSymbol,
    ...(claimable !== null && {
      claimableShares: String(claimable.shares),
      claimableAssets: claimable.assets === null ? null : String(claimable.assets),
    }),
  };
}
