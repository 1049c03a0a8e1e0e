import type { Store } from '../src/store/store.ts';

/** A database that fails once at one statement: before it has done anything, or after, when nobody hears of it. */
export interface FailingStore {
  readonly store: Store;
  /** At the next of these statements. */
  fail(name: string, when: 'before' | 'after'): void;
  /** Whether it has. */
  failed(): boolean;
}

export function createFailingStore(store: Store): FailingStore {
  let fault: { name: string; when: 'before' | 'after' } | undefined;
  const failing: Store = {
    ...store,
    async query(statement, params) {
      // Writes of one row have a name of their own.
      const name = statement.name.replace(/\.one$/, '');
      const hit = fault?.name === name ? fault : undefined;
      if (hit !== undefined) fault = undefined;
      if (hit?.when === 'before') throw lost();
      const rows = await store.query<never>(statement, params);
      if (hit?.when === 'after') throw lost();
      return rows;
    },
  };
  return {
    store: failing,
    fail: (name, when) => {
      fault = { name, when };
    },
    failed: () => fault === undefined,
  };
}

function lost(): Error {
  return new Error('connection to postgres://user:hunter2@db lost');
}
