import { isReadable, type Outage, StoreUnavailable } from './storeUnavailable.ts';

export interface CurrentOutage {
  readonly outage: Outage;
  /** Unix seconds. */
  readonly since: number;
}

/** Whether the database is usable, and if not, why. */
export interface StoreHealth {
  /** Undefined while it accepts reads and writes. */
  outage(): CurrentOutage | undefined;
  /** Probes now, without waiting for the next interval. */
  check(): Promise<CurrentOutage | undefined>;
  /** Calls `listener` when an outage begins and when it ends, not when its cause changes. */
  onChange(listener: () => void): void;
}

/** Receives the observations that parts of a store make of the database. */
export interface HealthReports extends StoreHealth {
  /** A probe succeeded. */
  answered(readOnly: boolean): void;
  /** A probe failed. */
  unanswered(outage: Outage): void;
  /** Returns the result of `work`, and records whether the database rejected it for lack of space. */
  watch<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

/** A full database responds to every probe, so a write tests whether it has space. */
const ROOM_MS = 5_000;

export function createHealth(deps: {
  /** Probes now; absent: the store has no probe. */
  readonly probe?: () => Promise<void>;
  /** Whether a write that needs space succeeds. */
  readonly hasRoom: () => Promise<boolean>;
}): HealthReports {
  const listeners: (() => void)[] = [];
  let current: CurrentOutage | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function change(outage: Outage | undefined): void {
    if (stopped || current?.outage === outage) return;
    const before = current;
    current = outage && { outage, since: before?.since ?? Math.floor(Date.now() / 1000) };
    if (outage === 'full') tryRoomLater();
    if ((before === undefined) === (current === undefined)) return;
    for (const listener of listeners) listener();
  }

  function tryRoomLater(): void {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const room = await deps.hasRoom();
      if (stopped || current?.outage !== 'full') return;
      if (room) change(undefined);
      else tryRoomLater();
    }, ROOM_MS).unref();
  }

  return {
    outage: () => current,
    async check() {
      await deps.probe?.();
      return current;
    },
    onChange: (listener) => void listeners.push(listener),
    answered(readOnly) {
      if (readOnly) change('read-only');
      else if (current?.outage !== 'full') change(undefined);
    },
    unanswered: change,
    async watch(work) {
      try {
        return await work;
      } catch (error) {
        const full = error instanceof StoreUnavailable && error.outage === 'full';
        // An unreachable or read-only database has a more serious problem.
        if (full && current === undefined) change('full');
        throw error;
      }
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Returns why reads fail; undefined while reads succeed. */
export function findAway(health: Pick<StoreHealth, 'outage'>): Outage | undefined {
  const outage = health.outage()?.outage;
  return outage === undefined || isReadable(outage) ? undefined : outage;
}
