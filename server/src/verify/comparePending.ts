import type { FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import type { FamilyReport } from './comparison.ts';
import type { Deployments } from './deployments.ts';
import { compareInvariant } from './invariants.ts';
import { kindOf } from './kinds/index.ts';
import { NOTHING_PENDING, type PendingShares } from './kinds/kind.ts';
import { readable } from './notReadable.ts';
import type { ServedPending } from './served.ts';
import type { StoredDeployment } from './storedDeployments.ts';

/** Returns what GET /v1/users/{walletAddress}/pending-redeems contains for one family. */
export type LoadPending = (family: FamilyConfig, wallet: Address) => Promise<ServedPending>;

export interface PendingToCheck {
  readonly family: FamilyConfig;
  readonly deployments: Deployments;
  readonly stored: readonly StoredDeployment[];
  readonly wallets: readonly Address[];
  readonly loadPending: LoadPending;
}

/** A wallet's pending redemptions, as read from one chain's contracts at one block. */
interface Truth extends Pick<PendingShares, 'pending' | 'claimable' | 'unknown'> {
  /** Null if no queue outside the vault reports any. */
  readonly outside: { readonly pendingAssets: bigint; readonly claimableAssets: bigint } | null;
}

/**
 * Compares each sampled wallet's pending redemptions, which are served live, with the contracts: they must agree at the
 * block up to which the chain is indexed, or at its head before or after the response.
 */
export async function comparePending(given: PendingToCheck): Promise<FamilyReport> {
  const { family, stored, wallets, loadPending } = given;
  if (wallets.length === 0) return { compared: [], unchecked: [] };
  const before = await headsOf(given);
  const served = new Map<Address, ServedPending>();
  for (const wallet of wallets) served.set(wallet, await loadPending(family, wallet));
  const after = await headsOf(given);
  const compared = await Promise.all(
    stored.map(async (one, i) => {
      const { chainId } = one.deployment.chain;
      const comparison = compareInvariant(family.slug, 16, `chain ${chainId}`);
      const blocks = [...new Set([one.indexedBlock, before[i]!, after[i]!])];
      const truths = await Promise.all(blocks.map((block) => truthAt(given, one, block)));
      for (const [wallet, { redeems, incompleteChains }] of served) {
        if (incompleteChains.includes(chainId)) continue;
        const own = truths.map((truth) => truth.get(wallet)!);
        if (own.some(({ unknown }) => unknown !== null)) continue;
        const entries = redeems.filter((entry) => entry.chainId === chainId);
        const wrong = own.map((truth) => differencesOf(entries, truth));
        const least = wrong.find(({ length }) => length === 0) ?? wrong.at(-1)!;
        comparison.holds(least.length === 0 ? null : `wallet ${wallet}: ${least.join(', ')}`);
      }
      return comparison;
    }),
  );
  return { compared: compared.filter(({ figures }) => figures > 0), unchecked: [] };
}

function headsOf({ deployments, stored }: PendingToCheck): Promise<number[]> {
  return Promise.all(
    stored.map(({ deployment }) =>
      readable(async () => (await deployments.reader(deployment.chain.chainId).head()).number),
    ),
  );
}

async function truthAt(
  { family, deployments, wallets }: PendingToCheck,
  { deployment }: StoredDeployment,
  block: number,
): Promise<ReadonlyMap<Address, Truth>> {
  const kind = kindOf(family.adapter);
  const current = await deployments.load(family, deployment.chain.chainId, { block });
  const pendingShares = await readable(() => kind.readPending(current, block, wallets));
  const found = await Promise.all(
    wallets.map(async (wallet): Promise<[Address, Truth]> => {
      const { pending, claimable, unknown } = pendingShares.get(wallet) ?? NOTHING_PENDING;
      const outside = await readable(async () => kind.outside?.(current, block, wallet) ?? null);
      return [wallet, { pending, claimable, unknown, outside }];
    }),
  );
  return new Map(found);
}

function differencesOf(entries: ServedPending['redeems'], truth: Truth): string[] {
  const sum = (key: 'shares' | 'currentAssets' | 'claimableShares' | 'claimableAssets') =>
    entries.reduce((all, entry) => all + BigInt(entry[key] ?? 0), 0n);
  const found: string[] = [];
  const same = (what: string, served: bigint, right: bigint, slack = 0n) => {
    const off = served > right ? served - right : right - served;
    if (off > slack) found.push(`${what} is served as ${served}, the chain reports ${right}`);
  };
  same('pending shares', sum('shares'), truth.pending);
  const claims = entries.some(({ claimableShares }) => claimableShares !== undefined);
  if (claims || truth.claimable > 0n)
    same('claimable shares', sum('claimableShares'), truth.claimable);
  if (truth.outside === null) return found;
  same('claimable assets', sum('claimableAssets'), truth.outside.claimableAssets, 1n);
  // Shares that still exist are valued at the newest indexed price.
  if (truth.pending === 0n) same('owed assets', sum('currentAssets'), truth.outside.pendingAssets);
  return found;
}
