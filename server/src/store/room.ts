import { type Store, statement } from './store.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

const sortOnDisk = statement('room.sortOnDisk', `select set_config('work_mem', '64kB', true)`);
/**
 * Writes some megabytes where the tables are, without write-ahead log, because a server that cannot write the log
 * stops.
 */
const sort = statement(
  'room.sort',
  `select md5(n::text) as text from generate_series(1, 40000) as n order by 1 offset 40000`,
);

/** Whether the database can write. True if that cannot be tested: the next rejected write reports it. */
export async function hasRoom(store: Pick<Store, 'transaction'>): Promise<boolean> {
  try {
    await store.transaction((tx) => Promise.all([tx.query(sortOnDisk), tx.query(sort)]));
    return true;
  } catch (error) {
    return !(error instanceof StoreUnavailable && error.outage === 'full');
  }
}
