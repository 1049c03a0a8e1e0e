import { encodeFunctionData, parseAbi } from 'viem';
import { encodeCall } from './abi.ts';
import type { PoolStatus } from './plan.ts';
import { progress, type Scene, type SceneFamily, type ScenePool } from './scene.ts';

const ORACLE = parseAbi(['function update(address[] vaults, uint256[] prices)']);
const REGISTRY = parseAbi([
  'function declare((address vault, string offchainId, address venue, uint8 venueKind, bool idleOnly, uint8 status, uint8 riskScore) pool)',
]);
const DAY = 86_400;

export interface Cadence {
  readonly sharePriceSeconds: number;
  /** Replaces each feed's interval. */
  readonly feedSeconds?: number;
}

/** Sends the operator's publications that are due: pool declarations, share prices, feed values. */
export async function publish(scene: Scene, time: number, cadence: Cadence): Promise<void> {
  for (const family of scene.families) {
    for (const pool of family.pools) await declareDue(scene, family, pool, time);
  }
  publishSharePrices(scene, time, cadence.sharePriceSeconds);
  for (const feed of scene.feeds) {
    const due = lastSlot(scene, time, cadence.feedSeconds ?? feed.plan.everySeconds);
    if (due <= feed.publishedAt || isSilent(scene, feed.plan.silentAt, time)) continue;
    feed.publishedAt = due;
    scene.chain.put({
      from: scene.cast.operator.address,
      to: feed.address,
      data: encodeCall('transmit(int256)', [feed.path.at(due)]),
    });
  }
}

function publishSharePrices(scene: Scene, time: number, every: number): void {
  const due = lastSlot(scene, time, every);
  if (due <= scene.pricedAt) return;
  const reached = progress(scene, time);
  const masters = scene.families.filter(
    ({ plan, chainPlan }) => plan.feederOf === null && reached >= (chainPlan.pricelessUntil ?? 0),
  );
  scene.pricedAt = due;
  scene.chain.put({
    from: scene.cast.operator.address,
    to: scene.core.oracle,
    data: encodeFunctionData({
      abi: ORACLE,
      args: [masters.map(({ vault }) => vault), masters.map(({ price }) => price.at(due))],
    }),
  });
  for (const family of scene.families) {
    family.priced ||= masters.includes(family.master ?? family);
  }
}

async function declareDue(
  scene: Scene,
  family: SceneFamily,
  pool: ScenePool,
  time: number,
): Promise<void> {
  const { plan } = pool;
  const reached = progress(scene, time);
  if (pool.status === null) {
    if (reached >= plan.from) declare(scene, family, pool, 1, plan.riskScore);
    return;
  }
  const change = plan.changes[pool.announced];
  if (!change || reached < change.at) return;
  // A venue is removed only when it is empty.
  if (change.status === 0 && !(await isEmpty(scene, family, pool))) return;
  pool.announced += 1;
  const score =
    plan.changes.slice(0, pool.announced).findLast(({ riskScore }) => riskScore !== undefined)
      ?.riskScore ?? plan.riskScore;
  declare(scene, family, pool, change.status ?? pool.status, score);
}

function declare(
  scene: Scene,
  family: SceneFamily,
  pool: ScenePool,
  status: PoolStatus,
  riskScore: number,
): void {
  const { offchainId, kind, idleOnly } = pool.plan;
  pool.status = status;
  scene.chain.put({
    from: scene.cast.operator.address,
    to: scene.core.registry,
    data: encodeFunctionData({
      abi: REGISTRY,
      args: [
        {
          vault: family.vault,
          offchainId,
          venue: pool.venue,
          venueKind: kind,
          idleOnly,
          status,
          riskScore,
        },
      ],
    }),
  });
}

async function isEmpty(scene: Scene, family: SceneFamily, pool: ScenePool): Promise<boolean> {
  const data = encodeCall('balanceOf(address)', [family.vault]);
  return BigInt(await scene.chain.call(pool.venue, data)) === 0n;
}

/** Slots start with the history, so that all chains publish the value of the same time. */
function lastSlot(scene: Scene, time: number, every: number): number {
  return scene.startTime + Math.floor((time - scene.startTime) / every) * every;
}

function isSilent(scene: Scene, at: number | undefined, time: number): boolean {
  const length = scene.endTime - scene.startTime;
  if (at === undefined || length < 10 * DAY) return false;
  const since = time - (scene.startTime + at * length);
  return since >= 0 && since < 1.5 * DAY;
}
