import type { RatedQueue } from '../../config/rated/description.ts';
import type { Address } from '../../domain/hex.ts';
import type { DeploymentReads } from '../deployment.ts';
import { replayQueue } from '../ratedRequests.ts';
import { type KindReads, NOTHING_PENDING, type PendingShares } from './kind.ts';
import { topicsOf } from './topics.ts';

/**
 * A share token with a rate: its balances, supply, and rate are read by the configured calls, and open requests by
 * their configured call. Without such a call, they are added up from the queue's events, and custody balances read by
 * calls are compared with them.
 */
export const rated: KindReads = {
  topics: topicsOf(),
  pricedAt: 'tick',
  custodyIsAsked: true,
  pendingWallets: ({ logs }, block) => [
    ...new Set(logs.requests.flatMap((one) => (one.block <= block ? one.controller : []))),
  ],
  async readPending(deployment, block, wallets) {
    if (deployment.chain.rated?.queue === undefined)
      return waitingByEvents(deployment, block, wallets);
    const found = await Promise.all(wallets.map((wallet) => waitingOf(deployment, block, wallet)));
    return new Map(wallets.map((wallet, i) => [wallet, found[i]!]));
  },
  findCustody: async ({ chain }) => [chain.address, ...(chain.rated?.custody ?? [])],
  async read(deployment, block) {
    const pendingShares = await rated.readPending(
      deployment,
      block,
      rated.pendingWallets(deployment, block),
    );
    const rest = { reserved: 0n, holdsOwnOnly: true };
    const isKnown = [...pendingShares.values()].every(({ unknown }) => unknown === null);
    if (!isKnown) return { pendingRedemptionAssets: null, ...rest };
    const shares = [...pendingShares.values()].reduce((sum, { pending }) => sum + pending, 0n);
    const convert = 'convertToAssets(uint256) view returns (uint256)';
    const worth = await deployment.askAt(block)<bigint>(deployment.chain.address, convert, shares);
    return { pendingRedemptionAssets: worth ?? 0n, ...rest };
  },
};

function waitingByEvents(
  { logs, chain }: DeploymentReads,
  block: number,
  wallets: readonly Address[],
): Map<Address, PendingShares> {
  const custody = [chain.address, ...(chain.rated?.custody ?? []), ...chain.custody];
  const until = <Log extends { readonly block: number }>(list: readonly Log[]) =>
    list.filter((one) => one.block <= block);
  const own = replayQueue(until(logs.queue), until(logs.transfers), new Set(custody));
  return new Map(wallets.map((one) => [one, { ...NOTHING_PENDING, ...own.get(one) }]));
}

async function waitingOf(
  deployment: DeploymentReads,
  block: number,
  wallet: Address,
): Promise<PendingShares> {
  const own = deployment.logs.requests.filter(
    (one) => one.block <= block && one.controller === wallet && one.side === 'redeem',
  );
  if (own.length === 0) return NOTHING_PENDING;
  const queue = deployment.chain.rated!.queue!;
  if (queue.by === 'wallet') {
    const pending = await sharesOf(deployment, block, queue, wallet);
    return pending === undefined ? unasked(queue) : { ...NOTHING_PENDING, pending };
  }
  let [pending, claimable] = [0n, 0n];
  for (const { id, vault } of own) {
    const shares = await sharesOf(deployment, block, queue, id!);
    if (shares === undefined) return unasked(queue);
    const isSettled = deployment.logs.settled.some(
      (one) => one.block <= block && one.vault === vault && one.from <= id! && id! <= one.to,
    );
    if (isSettled) claimable += shares;
    else pending += shares;
  }
  return { ...NOTHING_PENDING, pending, claimable };
}

function unasked({ call }: RatedQueue): PendingShares {
  return { ...NOTHING_PENDING, unknown: `its queue does not answer ${call}` };
}

async function sharesOf(
  { askAt }: DeploymentReads,
  block: number,
  { contract, call, answer }: RatedQueue,
  arg: Address | bigint,
): Promise<bigint | undefined> {
  const isBytes = /^[^(]*\(bytes32/.test(call);
  const given = isBytes ? `0x${BigInt(arg).toString(16).padStart(64, '0')}` : arg;
  const answered = await askAt(block)<unknown>(contract, call, given);
  const value: unknown = Array.isArray(answered) ? answered[answer] : answered;
  return typeof value === 'bigint' ? value : undefined;
}
