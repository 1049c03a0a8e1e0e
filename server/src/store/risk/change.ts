import { randomUUID } from 'node:crypto';
import { type Leadership, type Queryable, type Store, statement } from '../store.ts';
import { RISK_CHANNEL } from './imports.ts';
import { NO_END } from './version.ts';

/** A transaction that writes rows of the next version. */
export interface GraphWrite extends Queryable {
  /** The version that they belong to. */
  readonly version: number;
}

/** The next version of the graph while it is written: readers see none of it until it is the current one. */
export interface GraphChange {
  readonly version: number;
  /** Runs a short transaction, so that others can use the connection between two of them. */
  write<T>(work: (tx: GraphWrite) => Promise<T>): Promise<T>;
  /** Makes it the current version; the rows that `last` writes become visible with it. */
  finish(last: (tx: Queryable) => Promise<unknown>): Promise<void>;
  /** Removes the rows that were written. */
  discard(): Promise<void>;
}

/** Another process has begun a change since, because this one seemed to be gone. */
export class ChangeTakenOver extends Error {
  override readonly name = 'ChangeTakenOver';

  constructor() {
    super('another process has changed the risk graph meanwhile: nothing was changed; try again');
  }
}

/** Maximum rows removed at once. */
const SWEEP = 1_000;

const claim = statement(
  'riskChange.claim',
  `with held as (select writer from risk_version),
     claimed as (insert into risk_version (version, writer) values (0, $1)
       on conflict (single) do update set writer = excluded.writer returning version)
   select claimed.version, (select writer from held) is not null as "abandoned" from claimed`,
);
// The lock lasts until the transaction ends, so that no other process takes over between this check and the write.
const own = statement(
  'riskChange.own',
  'select version from risk_version where writer = $1 for share',
);
const raise = statement(
  'riskChange.raise',
  `with raised as (update risk_version set version = version + 1, writer = null where writer = $1
     returning version)
   select pg_notify('${RISK_CHANNEL}', version::text) from raised`,
);
const release = statement(
  'riskChange.release',
  'update risk_version set writer = null where writer = $1',
);

const TABLES = ['record', 'node', 'edge', 'grade'].map((name) => {
  const table = `risk_${name}`;
  const some = (where: string) =>
    `ctid = any(array(select ctid from ${table} where ${where} limit ${SWEEP}))`;
  return {
    ended: statement(
      `riskChange.sweepEnded.${name}`,
      `with swept as (delete from ${table}
         where ${some(`to_version < ${NO_END} and to_version <= $1`)} returning 1)
       select count(*) as "count" from swept`,
    ),
    unfinished: statement(
      `riskChange.sweepUnfinished.${name}`,
      `with swept as (delete from ${table} where ${some('from_version > $1')} returning 1)
       select count(*) as "count" from swept`,
    ),
    revived: statement(
      `riskChange.revive.${name}`,
      `with swept as (update ${table} set to_version = ${NO_END}
         where ${some(`to_version < ${NO_END} and to_version > $1`)} returning 1)
       select count(*) as "count" from swept`,
    ),
  };
});

/**
 * Begins a change: one at a time, see graphLock.ts. `leadership` is that of the lock: a process that hung until another
 * had the lock cannot take over. First removes the rows that a killed process left.
 */
export async function beginChange(
  store: Pick<Store, 'transaction'>,
  leadership: Pick<Leadership, 'transaction'>,
): Promise<GraphChange> {
  const writer = randomUUID();
  const { version: current, abandoned } = await leadership.transaction(async (tx) => {
    const [row] = await tx.query<{ version: number; abandoned: boolean }>(claim, [writer]);
    return row!;
  });
  const version = current + 1;
  let written = false;

  function owning<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return store.transaction(async (tx) => {
      const [owned] = await tx.query(own, [writer]);
      if (owned === undefined) throw new ChangeTakenOver();
      return work(tx);
    });
  }

  async function sweepAll(
    kind: 'ended' | 'unfinished' | 'revived',
    upTo: number,
    transaction: (work: (tx: Queryable) => Promise<number>) => Promise<number>,
  ): Promise<void> {
    for (const table of TABLES) {
      for (let swept = SWEEP; swept === SWEEP; ) {
        swept = await transaction(async (tx) => {
          const [row] = await tx.query<{ count: number }>(table[kind], [upTo]);
          return row!.count;
        });
      }
    }
  }

  async function takeBack(): Promise<void> {
    await sweepAll('unfinished', current, owning);
    await sweepAll('revived', current, owning);
  }

  if (abandoned) await takeBack();
  await sweepAll('ended', current, owning);

  return {
    version,
    write(work) {
      written = true;
      return owning((tx) => work({ query: (named, params) => tx.query(named, params), version }));
    },
    async finish(last) {
      await store.transaction(async (tx) => {
        const raised = await tx.query(raise, [writer]);
        if (raised.length === 0) throw new ChangeTakenOver();
        await last(tx);
      });
      // No reader needs rows that ended before the current version, whichever process writes the next.
      await sweepAll('ended', version, (work) => store.transaction(work));
    },
    async discard() {
      if (written) await takeBack();
      await store.transaction((tx) => tx.query(release, [writer]));
    },
  };
}
