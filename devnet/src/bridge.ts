import { raise, readBooks, run } from './operator.ts';
import { FAMILIES } from './plan.ts';
import type { Scene, SceneFamily } from './scene.ts';

export interface Leg {
  readonly slug: string;
  readonly from: number;
  readonly to: number;
  /** When it is sent, as a fraction of the history. */
  readonly at: number;
  /** Percentage of the family's assets on the sending chain. */
  readonly percent: bigint;
}

/** Assets in transit between chains: the receiver waits for the amount that the sender announced. */
export interface Bridge {
  readonly legs: readonly Leg[];
  sent(leg: Leg, assets: bigint): void;
  arriving(leg: Leg): Promise<bigint>;
}

const TRAVEL_SECONDS = 4 * 3600;
const LEGS_PER_FAMILY = 9;

/** Three transfers out for each one back. None near the end, where a reorg would roll back only one side. */
export function createBridge(chainIds: readonly number[], slugs: readonly string[]): Bridge {
  const legs: Leg[] = [];
  for (const plan of FAMILIES) {
    if (plan.feederOf !== null || !slugs.includes(plan.slug)) continue;
    const here = plan.chains.filter(({ chainId }) => chainIds.includes(chainId));
    const entries = here.filter(({ role }) => role === 'settlement');
    const others = here.filter(({ role }) => role === 'execution');
    const targets = others.length > 0 ? others : entries.slice(1);
    const sources = others.length > 0 ? entries : entries.slice(0, 1);
    if (targets.length === 0 || sources.length === 0) continue;
    for (let index = 0; index < LEGS_PER_FAMILY; index++) {
      const source = sources[index % sources.length]!.chainId;
      const target = targets[index % targets.length]!.chainId;
      const back = index % 4 === 3;
      legs.push({
        slug: plan.slug,
        from: back ? target : source,
        to: back ? source : target,
        at: 0.08 + index * 0.09,
        percent: back ? 30n : 10n,
      });
    }
  }
  const crossings = new Map(legs.map((leg) => [leg, createCrossing()]));
  return {
    legs,
    sent: (leg, assets) => crossings.get(leg)!.arrive(assets),
    arriving: (leg) => crossings.get(leg)!.assets,
  };
}

function createCrossing(): { assets: Promise<bigint>; arrive(assets: bigint): void } {
  let arrive!: (assets: bigint) => void;
  const assets = new Promise<bigint>((resolve) => {
    arrive = resolve;
  });
  return { assets, arrive };
}

export interface Crossings {
  /** Runs the transfers that are due for the family. Returns whether there were any. */
  act(family: SceneFamily, time: number): Promise<boolean>;
}

export function createCrossings(scene: Scene, bridge: Bridge): Crossings {
  const length = scene.endTime - scene.startTime;
  const departures = bridge.legs.filter(({ from }) => from === scene.chainId);
  const arrivals = bridge.legs.filter(({ to }) => to === scene.chainId);
  const leaveAt = ({ at }: Leg) => scene.startTime + at * length;

  function nextDue(legs: Leg[], slug: string, time: number, delay: number): Leg | undefined {
    const index = legs.findIndex((leg) => leg.slug === slug && leaveAt(leg) + delay <= time);
    return index < 0 ? undefined : legs.splice(index, 1)[0];
  }

  return {
    async act(family, time) {
      const arrival = nextDue(arrivals, family.plan.slug, time, TRAVEL_SECONDS);
      if (arrival) {
        const assets = await bridge.arriving(arrival);
        if (assets === 0n) return false;
        run(scene, family, 'bridgeIn(uint256,uint256)', [BigInt(arrival.from), assets]);
        return true;
      }
      const departure = nextDue(departures, family.plan.slug, time, 0);
      if (!departure) return false;
      const books = await readBooks(scene, family);
      const wanted = (books.total * departure.percent) / 100n;
      raise(scene, family, books, books.owed + wanted);
      const free = books.held > books.owed ? books.held - books.owed : 0n;
      const assets = free < wanted ? free : wanted;
      if (assets > 0n) {
        run(scene, family, 'bridgeOut(uint256,uint256)', [BigInt(departure.to), assets]);
      }
      bridge.sent(departure, assets);
      return true;
    },
  };
}
