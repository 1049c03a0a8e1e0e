import type { RatedQueue } from '../../config/rated/description.ts';
import type { Address } from '../../domain/hex.ts';
import type { DeploymentReads } from '../deployment.ts';
import { type OpenShares, replayQueue } from '../ratedRequests.ts';
import { type KindReads, NOTHING_PENDING, type PendingShares } from './kind.ts';
import { topicsOf } from './topics.ts';

const NONE: OpenShares = { pending: 0n, claimable: 0n, burned: 0n };

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
    const replayed = replayAt(deployment, block);
    const found = await Promise.all(
      wallets.map((wallet) => {
        const own = replayed.get(wallet) ?? NONE;
        if (deployment.chain.rated?.queue === undefined) return { ...NOTHING_PENDING, ...own };
        return readQueued(deployment, block, wallet, own);
      }),
    );
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
    return { pendingRedemptionAssets: worth ?? null, ...rest };
  },
};

function replayAt(
  { logs, chain }: DeploymentReads,
  block: number,
): ReadonlyMap<Address, OpenShares> {
  const custody = [chain.address, ...(chain.rated?.custody ?? []), ...chain.custody];
  const until = <Log extends { readonly block: number }>(list: readonly Log[]) =>
    list.filter((one) => one.block <= block);
  return replayQueue(until(logs.queue), until(logs.transfers), new Set(custody));
}

/** The open shares that the queue returns. If it does not separate claimable ones, the events do. */
async function readQueued(
  deployment: DeploymentReads,
  block: number,
  wallet: Address,
  replayed: OpenShares,
): Promise<PendingShares> {
  const { requests, settled } = deployment.logs;
  const until = requests.filter((one) => one.block <= block && one.side === 'redeem');
  const own = until.filter(({ controller }) => controller === wallet);
  if (own.length === 0) return NOTHING_PENDING;
  const queue = deployment.chain.rated!.queue!;
  if (queue.by === 'wallet') {
    const open = await sharesOf(deployment, block, queue, wallet);
    if (open === undefined) return unasked(queue);
    return withBurned(open, least(open, replayed.claimable), replayed);
  }
  let [open, claimable] = [0n, 0n];
  const counted = new Set<string>();
  for (const { id, vault } of own) {
    if (id === null || counted.has(`${vault} ${id}`)) continue;
    counted.add(`${vault} ${id}`);
    const isShared = until.some(
      (one) => one.vault === vault && one.id === id && one.controller !== wallet,
    );
    if (isShared) {
      const unknown = `its queue counts several wallets under the number ${id}`;
      return { ...NOTHING_PENDING, unknown };
    }
    const shares = await sharesOf(deployment, block, queue, id);
    if (shares === undefined) return unasked(queue);
    const isSettled = settled.some(
      (one) => one.block <= block && one.vault === vault && one.from <= id && id <= one.to,
    );
    open += shares;
    if (isSettled) claimable += shares;
  }
  return withBurned(open, claimable, replayed);
}

function withBurned(open: bigint, claimable: bigint, replayed: OpenShares): PendingShares {
  const pending = open - claimable;
  return { ...NOTHING_PENDING, pending, claimable, burned: least(pending, replayed.burned) };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
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
