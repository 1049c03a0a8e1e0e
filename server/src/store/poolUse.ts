import pg from 'pg';

/** Use of the connections of one pool. The embedded database has a single one. */
export interface PoolUse {
  readonly pool: 'primary' | 'replica' | 'embedded';
  readonly inUse: number;
  readonly idle: number;
  /** Callers that wait for a connection now. */
  readonly waiting: number;
  /** Callers that waited since the start, and their total wait. */
  readonly waits: number;
  readonly waitedSeconds: number;
}

/** Counts waits over the successive pools of a failover. */
export interface Waits {
  count: number;
  ms: number;
}

export function createWaits(): Waits {
  return { count: 0, ms: 0 };
}

export function poolUse(
  pool: PoolUse['pool'],
  { count, ms }: Waits,
  { inUse, idle, waiting }: Pick<PoolUse, 'inUse' | 'idle' | 'waiting'>,
): PoolUse {
  return { pool, inUse, idle, waiting, waits: count, waitedSeconds: ms / 1000 };
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool that measures the waits for a connection, including a new one. */
export class MeasuredPool extends pg.Pool {
  readonly #waits: Waits;

  constructor(config: pg.PoolConfig, waits: Waits) {
    super(config);
    this.#waits = waits;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (error ? reject(error) : resolve(client!)));
      });
    }
    // Other callers may have requested the idle ones in this turn of the event loop.
    if (this.idleCount > this.waitingCount) {
      super.connect(callback);
      return undefined;
    }
    const askedAt = performance.now();
    super.connect((...result) => {
      this.#waits.count++;
      this.#waits.ms += performance.now() - askedAt;
      callback(...result);
    });
    return undefined;
  }

  use(pool: PoolUse['pool']): PoolUse {
    const { totalCount, idleCount, waitingCount } = this;
    return poolUse(pool, this.#waits, {
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
    });
  }
}
