import type { Address } from '../../domain/hex.ts';
import type { Authorization } from '../authorization/payment.ts';

/** Payments from their check to their end, payer by payer: a balance pays for those that came first. */
export interface InFlight {
  enter(authorization: Authorization): Place;
}

/** Behind what was in flight for its payer before. */
export interface Place {
  before(): Before;
  /** Whether any of these has ended by then, by performance.now. */
  change(since: Before, until: number): Promise<boolean>;
  /** It takes no more from the balance than it has taken, but its place is not free yet. */
  mined(): void;
  leave(): void;
}

/** Other authorizations that may still be charged. */
export interface Before {
  readonly count: number;
  readonly value: bigint;
  /** Ends in this lane so far. */
  readonly ends: number;
}

interface Waiting {
  readonly authorization: Authorization;
  /** What it may still take. */
  value: bigint;
}

interface Lane {
  readonly places: Waiting[];
  readonly wake: Set<() => void>;
  ends: number;
}

/** So long after its end an authorization counts: the chain's clock may be behind ours. */
const SLACK_SECONDS = 60;
/** How many come in between two looks for lanes that nobody left. */
const SWEEP_EVERY = 1_000;

export function createInFlight(
  /** Unix seconds. */
  now: () => number,
): InFlight {
  const lanes = new Map<Address, Lane>();
  let entered = 0;
  return { enter };

  function enter(authorization: Authorization): Place {
    if (++entered % SWEEP_EVERY === 0) sweep();
    const { from, nonce } = authorization;
    const lane = lanes.get(from) ?? { places: [], wake: new Set<() => void>(), ends: 0 };
    lanes.set(from, lane);
    const mine: Waiting = { authorization, value: authorization.value };
    lane.places.push(mine);
    return { before, change, mined, leave };

    function before(): Before {
      dropDead(lane);
      const earlier = new Map<string, bigint>();
      for (const place of lane.places) {
        if (place === mine) break;
        const other = place.authorization.nonce;
        // A copy of this one: the chain takes one of them.
        if (other !== nonce) earlier.set(other, place.value);
      }
      const value = [...earlier.values()].reduce((sum, one) => sum + one, 0n);
      return { count: earlier.size, value, ends: lane.ends };
    }

    async function change(since: Before, until: number): Promise<boolean> {
      if (lane.ends !== since.ends) return true;
      return new Promise((resolve) => {
        const done = (changed: boolean) => {
          clearTimeout(timer);
          lane.wake.delete(wake);
          resolve(changed);
        };
        const wake = () => done(true);
        const timer = setTimeout(() => done(false), Math.max(0, until - performance.now()));
        lane.wake.add(wake);
      });
    }

    function mined(): void {
      for (const place of lane.places) if (place.authorization.nonce === nonce) place.value = 0n;
      end(lane);
    }

    function leave(): void {
      const at = lane.places.indexOf(mine);
      if (at < 0) return;
      lane.places.splice(at, 1);
      end(lane);
      if (lane.places.length === 0 && lanes.get(from) === lane) lanes.delete(from);
    }
  }

  function sweep(): void {
    for (const [payer, lane] of lanes) {
      dropDead(lane);
      if (lane.places.length === 0) lanes.delete(payer);
    }
  }

  /** Nobody said how they ended, and they cannot be charged any more. */
  function dropDead(lane: Lane): void {
    const dead = BigInt(now() - SLACK_SECONDS);
    const live = lane.places.filter(({ authorization }) => authorization.validBefore > dead);
    if (live.length === lane.places.length) return;
    lane.places.splice(0, lane.places.length, ...live);
    end(lane);
  }

  function end(lane: Lane): void {
    lane.ends++;
    for (const wake of [...lane.wake]) wake();
  }
}
