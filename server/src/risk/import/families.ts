import type { Config, FamilyConfig } from '../../config/config.ts';
import { getPoolsInForce } from '../../store/pools/read.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { type NewestTick, snapshotTicks } from '../../store/ticks/readSnapshot.ts';
import { getVaultsOf, type NamedVault } from '../../store/vaults/read.ts';
import { applyImport, type ImportOutcome } from './applyImport.ts';
import { batches } from './batches.ts';
import { type FamilyState, familyRecords } from './familiesRecords.ts';
import type { Grading } from './regrade.ts';

/**
 * Updates the graph from the vault families. Their facts are trusted, so the import is never refused. Writes nothing if
 * the graph already has them.
 */
export async function refreshFamilies(given: {
  readonly config: Config;
  readonly store: Store;
  readonly grading?: Grading;
  readonly now: number;
}): Promise<ImportOutcome> {
  const { config, store } = given;
  const states: FamilyState[] = [];
  for (const some of batches(config.families)) {
    states.push(...(await loadStates(store, some)));
  }
  const records = familyRecords(config.chains, states);
  return applyImport({ ...given, source: 'families', records, force: true });
}

async function loadStates(db: Queryable, some: readonly FamilyConfig[]): Promise<FamilyState[]> {
  const slugs = some.map(({ slug }) => slug);
  const vaults = new Map<string, NamedVault[]>(slugs.map((slug) => [slug, []]));
  for (const vault of await getVaultsOf(db, slugs)) vaults.get(vault.slug)!.push(vault);
  const ticks = await snapshotTicks.getNewest(db, slugs);
  const newest = new Map(ticks.map((one) => [one.slug, one]));
  const states: FamilyState[] = [];
  for (const family of some) {
    const own = { vaults: vaults.get(family.slug)!, newest: newest.get(family.slug) };
    states.push(await loadState(db, family, own));
  }
  return states;
}

async function loadState(
  db: Queryable,
  family: FamilyConfig,
  { vaults, newest }: { vaults: readonly NamedVault[]; newest: NewestTick | undefined },
): Promise<FamilyState> {
  if (newest?.tick == null) {
    return { family, vaults, tvl: 0n, invested: 0n, tvlUsd: null, apy: null, pools: [] };
  }
  const { familyId, tick } = newest;
  const { tvl, invested, usd: tvlUsd, apy7d: apy } = tick;
  const chainIds = family.chains.map(({ chainId }) => chainId);
  const chains = await snapshotTicks.getChainRows(db, familyId, chainIds, tick.at);
  const declared = await getPoolsInForce(db, familyId, chains);
  const readings = await snapshotTicks.getPoolReadings(
    db,
    familyId,
    declared.map(({ chainId, poolId }) => ({
      chainId,
      poolId,
      at: chains.find((chain) => chain.chainId === chainId)!.at,
    })),
  );
  const values = new Map(readings.map((row) => [`${row.chainId} ${row.poolId}`, row.value]));
  const pools = declared.map((pool) => ({
    ...pool,
    value: values.get(`${pool.chainId} ${pool.poolId}`) ?? 0n,
  }));
  return { family, vaults, tvl, invested, tvlUsd, apy, pools };
}
