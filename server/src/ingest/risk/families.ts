import type { Config, FamilyConfig } from '../../config/config.ts';
import { getPoolsInForce } from '../../store/pools/read.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { snapshotTicks } from '../../store/ticks/readSnapshot.ts';
import { getVaultsOf } from '../../store/vaults/read.ts';
import { applyImport, type ImportOutcome } from './applyImport.ts';
import { type FamilyState, familyRecords } from './familiesRecords.ts';
import type { Grading } from './regrade.ts';

/**
 * Brings the graph in line with the vault families. What they say is ours, so nothing is ever refused; and when it is
 * what the graph holds already, nothing is written.
 */
export async function refreshFamilies(given: {
  readonly config: Config;
  readonly store: Store;
  readonly grading?: Grading;
  readonly now: number;
}): Promise<ImportOutcome> {
  const { config, store } = given;
  const states: FamilyState[] = [];
  for (const family of config.families) states.push(await loadState(store, family));
  const records = familyRecords(config.chains, states);
  return applyImport({ ...given, source: 'families', records, force: true });
}

async function loadState(db: Queryable, family: FamilyConfig): Promise<FamilyState> {
  const vaults = await getVaultsOf(db, [family.slug]);
  const [newest] = await snapshotTicks.getNewest(db, [family.slug]);
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
