import type { Config, FamilyConfig } from '../../config/config.ts';
import { chainSlug } from '../../domain/risk/aliases.ts';
import { poolId as poolNodeId } from '../../domain/risk/nodeId.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { DAY } from '../../domain/time.ts';
import { getPoolsInForce, type PoolInForce } from '../../store/pools/read.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import type { Queryable } from '../../store/store.ts';
import type { ChainTickRow } from '../../store/ticks/chainTicks.ts';
import { type PoolReading, snapshotTicks } from '../../store/ticks/readSnapshot.ts';
import { getVaultsOf } from '../../store/vaults/read.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';

export type ReadPool = PoolInForce & PoolReading;

/** The data of a snapshot at one tick. */
export interface LoadedSnapshot {
  readonly tick: Tick;
  /** The newest tick of a feeder's master, whose rewards it shares; null for any other family. */
  readonly masterTick: Tick | null;
  readonly imported: boolean;
  readonly vaults: readonly VaultRow[];
  /** The state of each chain at the tick, in the order of the configuration. */
  readonly chains: readonly ChainTickRow[];
  /** The same for the family whose pools are used: a feeder's master. */
  readonly poolChains: readonly ChainTickRow[];
  readonly pools: readonly ReadPool[];
}

/** The longest window of a value in the snapshot. */
const LONGEST_WINDOW = 30 * DAY;
/** Retries if something was committed between two statements. */
const MAX_ATTEMPTS = 3;

/**
 * Returns the family whose pool rows are used: itself, or for a feeder the one with the same binding declarations,
 * preferably the master at the end of its chain.
 */
export function poolFamilyOf(config: Config, family: FamilyConfig): FamilyConfig {
  if (family.feederOf === null) return family;
  let master = family;
  while (master.feederOf !== null) {
    const { feederOf } = master;
    master = config.families.find(({ slug }) => slug === feederOf)!;
  }
  const bound = ({ feederOf, bindingDeclarationAddress }: FamilyConfig) =>
    feederOf === null && bindingDeclarationAddress === family.bindingDeclarationAddress;
  return bound(master) ? master : (config.families.find(bound) ?? master);
}

/** Loads the newest tick, or the newest one up to a time. Undefined while the family has no tick. */
export async function loadSnapshot(
  db: Queryable,
  config: Config,
  family: FamilyConfig,
  time?: number,
): Promise<LoadedSnapshot | undefined> {
  for (let attempt = 1; ; attempt++) {
    const loaded = await read(db, config, family, time);
    if (loaded === undefined || attempt === MAX_ATTEMPTS) return loaded;
    if (addsUp(loaded, poolFamilyOf(config, family))) return loaded;
  }
}

async function read(
  db: Queryable,
  config: Config,
  family: FamilyConfig,
  time: number | undefined,
): Promise<LoadedSnapshot | undefined> {
  const source = poolFamilyOf(config, family);
  const [newest, vaults] = await Promise.all([
    snapshotTicks.getNewest(db, [...new Set([family.slug, source.slug])], time),
    getVaultsOf(db, [family.slug]),
  ]);
  const own = newest.find(({ slug }) => slug === family.slug);
  const serving = newest.find(({ slug }) => slug === source.slug);
  if (own?.tick == null || serving === undefined || vaults.length === 0) return undefined;
  const { tick, familyId } = own;
  const sourceId = serving.familyId;
  const masterTick = source === family ? null : serving.tick;
  const [imported, chains, masterChains] = await Promise.all([
    snapshotTicks.isImported(db, familyId, tick.at - LONGEST_WINDOW, tick.at),
    getChainRows(db, familyId, family, tick.at),
    source === family ? undefined : getChainRows(db, sourceId, source, tick.at),
  ]);
  const poolChains = masterChains ?? chains;
  const isCurrent = time === undefined;
  const pools = await getPools(db, sourceId, poolChains, (declared) =>
    // Former scores of the risk graph are not kept: then the registry's stand.
    isCurrent ? scored(db, config, declared) : declared,
  );
  return { tick, masterTick, imported, vaults, chains, poolChains, pools };
}

async function getChainRows(db: Queryable, familyId: number, family: FamilyConfig, at: number) {
  const chainIds = family.chains.map(({ chainId }) => chainId);
  const rows = await snapshotTicks.getChainRows(db, familyId, chainIds, at);
  return chainIds.flatMap((chainId) => rows.find((row) => row.chainId === chainId) ?? []);
}

/** Returns the pools in effect at each chain's block, with their state there. */
async function getPools(
  db: Queryable,
  familyId: number,
  chains: readonly ChainTickRow[],
  score: (pools: readonly PoolInForce[]) => Promise<PoolInForce[]> | readonly PoolInForce[],
): Promise<ReadPool[]> {
  const declared = await score(await getPoolsInForce(db, familyId, chains));
  const asked = declared.map(({ chainId, poolId }) => ({
    chainId,
    poolId,
    at: chains.find((chain) => chain.chainId === chainId)!.at,
  }));
  const readings = await snapshotTicks.getPoolReadings(db, familyId, asked);
  const readingOf = new Map(readings.map((row) => [`${row.chainId} ${row.poolId}`, row]));
  return declared.flatMap((pool) => {
    const reading = readingOf.get(`${pool.chainId} ${pool.poolId}`);
    return reading === undefined ? [] : [{ ...pool, ...reading }];
  });
}

/** A pool that the risk graph has graded gets that score; others get the registry's. */
async function scored(
  db: Queryable,
  config: Config,
  pools: readonly PoolInForce[],
): Promise<PoolInForce[]> {
  const nameOf = new Map(config.chains.map(({ chainId, name }) => [chainId, name]));
  const idOf = ({ chainId, venue }: PoolInForce) =>
    poolNodeId(chainSlug(nameOf.get(chainId)!), venue);
  const scores = await riskGrades.getScores(db, pools.map(idOf));
  return pools.map((pool) => ({ ...pool, riskScore: scores.get(idOf(pool)) ?? pool.riskScore }));
}

/** Statements run one by one: if the parts do not add up to the total, a commit happened in between. */
function addsUp({ tick, chains, poolChains, pools }: LoadedSnapshot, source: FamilyConfig) {
  const sum = (pick: (row: ChainTickRow) => bigint) =>
    chains.reduce((total, row) => total + pick(row), 0n);
  return (
    sum(({ idle }) => idle) === tick.idle &&
    sum(({ invested }) => invested) === tick.invested &&
    sum(({ pendingExits }) => pendingExits) === tick.pendingExits &&
    sum(({ shareSupply }) => shareSupply) === tick.totalShares &&
    poolChains.every((row) => poolsFit(row, source, pools))
  );
}

/** A registry declares everything that is invested; an allocator or the file may declare a part or nothing. */
function poolsFit(
  { chainId, invested }: ChainTickRow,
  source: FamilyConfig,
  pools: readonly ReadPool[],
): boolean {
  const own = pools.filter((pool) => pool.chainId === chainId);
  const pooled = own.reduce((total, { value }) => total + value, 0n);
  const chain = source.chains.find((one) => one.chainId === chainId);
  // The pools may report more than the vault counts: a gain that it recognizes gradually.
  return own.length === 0 || chain?.registry === undefined || pooled === invested;
}
