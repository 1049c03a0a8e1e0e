import { type Address, lower } from '../../src/domain/hex.ts';
import { difference } from './compareSnapshot.ts';
import { queueAmounts } from './queueAmounts.ts';
import type { Family, Place } from './scenario.ts';
import type { Served } from './serve.ts';
import { type Queue, queuesOf } from './words.ts';

interface Waiting {
  readonly chainId: number;
  readonly vault: string;
  readonly baseAsset?: string;
  readonly shares?: string;
  readonly requestedAssets?: string;
  readonly currentAssets?: string;
  readonly claimableShares?: string | null;
  readonly claimableAssets?: string | null;
  readonly assets?: string;
}

/** Compares a wallet's queues at the heads. */
export async function compareQueues(
  served: Served,
  family: Family,
  wallet: Address,
): Promise<string[]> {
  const found: string[] = [];
  const about = (route: string) =>
    served.get<Record<string, unknown>>(`/v1/users/${wallet}/${route}?family=${family.slug}`);
  const answer = await about('pending-redeems');
  if ((answer.incompleteChains as number[]).length > 0)
    found.push(`pending redeems of ${wallet}: incomplete`);
  const redeems = [...(answer.redeems as Waiting[])];
  const deposits = family.kind === 'erc7540' ? await pendingDeposits() : [];
  for (const place of family.places) {
    const block = place.chain.tip.number;
    for (const queue of await queuesOf(family, place, wallet, block)) {
      const name = `of ${wallet} at ${queue.vault} on ${place.chain.chainId}`;
      const leaving = take(redeems, place.chain.chainId, queue);
      const owed = await queueAmounts(place, queue, leaving?.baseAsset, block);
      // A paused vault can return 0 instead of the claimable amount. The server then reports null: unknown.
      const unsaid = leaving?.claimableAssets === null && (await isQuiet(place, block));
      const claims =
        family.kind === 'erc7540' || family.kind === 'rated' || place.outside !== undefined;
      const currentAssets = owed.currentAssets + queue.pendingAssets;
      const expected = {
        shares: queue.shares,
        currentAssets,
        ...(!place.promised && { requestedAssets: queue.requestedAssets ?? currentAssets }),
        ...(claims && { claimableShares: queue.claimableShares }),
        ...(claims && !unsaid && { claimableAssets: owed.claimableAssets }),
      };
      found.push(...judge(`redeems ${name}`, leaving, expected, owed.slack));
      if (place.promised) {
        // The expected amount is derived from the price before the request, so it has one more rounding.
        const promised = { requestedAssets: queue.requestedAssets! };
        found.push(...judge(`redeems ${name}`, leaving, promised, 1n));
      }
      if (family.kind !== 'erc7540') continue;
      const coming = take(deposits, place.chain.chainId, queue);
      const paid = await queueAmounts(place, queue, coming?.baseAsset, block);
      const silent = coming?.claimableShares === null && (await isQuiet(place, block));
      const served = {
        assets: paid.pendingDeposit,
        claimableAssets: paid.claimableDeposit,
        ...(!silent && { claimableShares: queue.depositShares }),
      };
      found.push(...judge(`deposits ${name}`, coming, served, paid.slack));
    }
  }
  for (const entry of [...redeems, ...deposits]) {
    found.push(`pending of ${wallet}: served but not on the chain: ${JSON.stringify(entry)}`);
  }
  return found;

  /** If one route fails, the other is still compared. */
  async function pendingDeposits(): Promise<Waiting[]> {
    const answer = await about('pending-deposits').catch((error: Error) => {
      found.push(error.message);
      return { deposits: [] };
    });
    return [...(answer.deposits as Waiting[])];
  }
}

function take(entries: Waiting[], chainId: number, { vault }: Queue): Waiting | undefined {
  const at = entries.findIndex((one) => one.chainId === chainId && lower(one.vault) === vault);
  return at < 0 ? undefined : entries.splice(at, 1)[0];
}

async function isQuiet(place: Place, block: number): Promise<boolean> {
  return ((await place.spokenAt?.(block)) ?? block) !== block;
}

/** A missing entry is correct if every expected amount is zero. */
function judge(
  name: string,
  entry: Waiting | undefined,
  expected: Readonly<Partial<Record<keyof Waiting, bigint>>>,
  slack: bigint,
): string[] {
  if (entry === undefined) {
    const nothing = Object.values(expected).every((amount) => amount === 0n);
    return nothing ? [] : [`pending ${name}: missing`];
  }
  return Object.entries(expected).flatMap(([key, amount]) => {
    const got = entry[key as keyof Waiting];
    // Share amounts are never converted, so they must be exact.
    const near = key.endsWith('hares') ? 0n : slack;
    const off = difference(got == null ? null : String(got), amount, near);
    return off === undefined
      ? []
      : [`pending ${name}: ${key} is ${got}, the contract says ${amount}${off}`];
  });
}
