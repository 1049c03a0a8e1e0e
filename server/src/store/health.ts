import { isReadable, type Outage, StoreUnavailable } from './storeUnavailable.ts';

export interface CurrentOutage {
  readonly outage: Outage;
  /** Unix seconds. */
  readonly since: number;
}

/** Whether the database can be used, and if not, why. */
export interface StoreHealth {
  /** Undefined while it accepts reads and writes. */
  outage(): CurrentOutage | undefined;
  /** Looks now instead of at the next probe. */
  check(): Promise<CurrentOutage | undefined>;
  /** Calls `listener` when an outage begins and when it ends; not when its cause changes meanwhile. */
  onChange(listener: () => void): void;
}

/** Where the parts of a store report what they see of the database. */
export interface HealthReports extends StoreHealth {
  /** A probe was answered. */
  answered(readOnly: boolean): void;
  /** A probe was not answered. */
  unanswered(outage: Outage): void;
  /** Passes the result of `work` on, and notes whether the database refused it for lack of space. */
  watch<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

/** A full database answers every probe, so it is tried whether it has room. */
const ROOM_MS = 5_000;

export function createHealth(deps: {
  /** Probes now; absent: nothing is probed. */
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
        // A database that is away or read-only has a worse problem.
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

/** Returns why reads fail; undefined while the database answers them. */
export function findAway(health: Pick<StoreHealth, 'outage'>): Outage | undefined {
  const outage = health.outage()?.outage;
  return outage === undefined || isReadable(outage) ? undefined : outage;
}
