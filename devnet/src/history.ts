import type { Address } from 'viem';
import { encodeCall } from './abi.ts';
import { type Bridge, createCrossings } from './bridge.ts';
import { KEPT_BLOCKS } from './chain.ts';
import { createScript } from './closing.ts';
import { actAtExtras } from './extras.ts';
import { tend } from './operator.ts';
import { STABLECOIN } from './plan.ts';
import { type Cadence, publish } from './publish.ts';
import { createRandom } from './random.ts';
import { balanceOf } from './read.ts';
import type { Scene } from './scene.ts';
import { actAsUser, deposit } from './users.ts';

const CADENCE: Cadence = { sharePriceSeconds: 6 * 3600 };
/** Blocks between two rounds of the operator's work; the families take turns. */
const ROUND_BLOCKS = 16;
const EXTRAS_BLOCKS = 9;
const POCKET_MONEY = 1_000_000_000n;

/** Builds one chain's history from its first block to the anchor. */
export async function tellHistory(scene: Scene, bridge: Bridge, blocks: number): Promise<void> {
  const { chain, random } = scene;
  const crossings = createCrossings(scene, bridge);
  const script = createScript(scene);
  const people = [...scene.cast.named, ...scene.cast.crowd].map(({ address }) => address);
  const times = blockTimes(scene, blocks);
  await chain.keepSnapshots(false);
  for (const [index, time] of times.entries()) {
    if (times.length - index <= KEPT_BLOCKS) await chain.keepSnapshots(true);
    scene.busy.clear();
    await publish(scene, time, CADENCE);
    for (const [place, family] of scene.families.entries()) {
      if (await crossings.act(family, time)) continue;
      if ((index + place) % ROUND_BLOCKS === ROUND_BLOCKS - 1) await tend(scene, family);
    }
    if (index === times.length - 1) {
      // Alone in its block, so that its reads are still valid when it is mined.
      await fillPockets(scene);
      await chain.mine(time);
      scene.live = true;
      return;
    }
    await script.act(time);
    await openPositions(scene, index, blocks);
    const actions = random.chance(0.3) ? 2 : 1;
    for (let action = 0; action < actions; action++) await actAsUser(scene, time, people);
    if (index % EXTRAS_BLOCKS === 0) await actAtExtras(scene, people);
    await chain.mine(time);
  }
}

/** Returns evenly spaced block times with some jitter; the last one is the anchor. */
function blockTimes(scene: Scene, blocks: number): number[] {
  const from = scene.chain.tip.time + 1;
  const step = (scene.endTime - from) / blocks;
  const random = createRandom(`times ${scene.chainId} ${scene.startTime}`);
  return Array.from({ length: blocks }, (_, index) =>
    index === blocks - 1
      ? scene.endTime
      : Math.floor(from + (index + 0.5 + (random.next() - 0.5) * 0.8) * step),
  );
}

/** Each named wallet enters about half of the families, at different times. */
async function openPositions(scene: Scene, index: number, blocks: number): Promise<void> {
  for (const [place, family] of scene.families.entries()) {
    if (!family.priced || family.chainPlan.role !== 'settlement') continue;
    for (const [number, { address }] of scene.cast.named.entries()) {
      if ((number + place) % 2 !== 0 && family.plan.slug !== 'svcusd') continue;
      if (index !== 12 + ((number * 7 + place * 3) % Math.max(1, Math.floor(blocks / 2)))) continue;
      await deposit(scene, family, address, scene.random.scale(family.typical, 0.2, 1.2));
    }
  }
}

/** The public wallets end with exactly 1,000 units of the stablecoin. */
async function fillPockets(scene: Scene): Promise<void> {
  if (scene.chainId !== 8453) return;
  const { chain, cast } = scene;
  for (const { address } of [...cast.named, cast.blocked]) {
    const held = await balanceOf(chain, STABLECOIN, address);
    if (held < POCKET_MONEY) mint(scene, address, POCKET_MONEY - held);
    if (held > POCKET_MONEY) {
      chain.put({
        from: address,
        to: STABLECOIN,
        data: encodeCall('transfer(address,uint256)', [cast.treasury.address, held - POCKET_MONEY]),
      });
    }
  }
}

function mint(scene: Scene, to: Address, amount: bigint): void {
  scene.chain.put({
    from: scene.cast.operator.address,
    to: STABLECOIN,
    data: encodeCall('mint(address,uint256)', [to, amount]),
  });
}
