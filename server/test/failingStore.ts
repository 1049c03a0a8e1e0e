import type { Store } from '../src/store/store.ts';

/**
 * A database that fails once at one statement: before it runs, or after, so that the caller does not get the result.
 */
export interface FailingStore {
  readonly store: Store;
  /** Fails the next statement of this name. */
  fail(name: string, when: 'before' | 'after'): void;
  /** Returns whether it has failed. */
  failed(): boolean;
}

export function createFailingStore(store: Store): FailingStore {
  let fault: { name: string; when: 'before' | 'after' } | undefined;
  const failing: Store = {
    ...store,
    async query(statement, params) {
      // Single-row writes are separate statements, named with the suffix `.one`.
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
