import { traced } from '../runtime/traced.ts';
import type { Leadership, Queryable, Statement, Store } from '../store/store.ts';

/** The same store, whose statements appear in traces by name, never with text or values. */
export function traceStore(store: Store): Store {
  return {
    ...store,
    ...traceQueries(store),
    reads: traceQueries(store.reads),
    freeReads: { ...store.freeReads, ...traceQueries(store.freeReads) },
    transaction: traceTransaction(store),
    async lead(key) {
      const leadership = await store.lead(key);
      return leadership && { ...leadership, transaction: traceTransaction(leadership) };
    },
  };
}

function traceQueries(queryable: Queryable): Queryable {
  return {
    query: (statement, params) =>
      traced(
        () => describe(statement.name, statement),
        () => queryable.query(statement, params),
      ),
  };
}

function traceTransaction(
  owner: Pick<Leadership, 'transaction'>,
): <T>(work: (tx: Queryable) => Promise<T>) => Promise<T> {
  return (work) =>
    traced(
      () => describe('transaction'),
      () => owner.transaction((tx) => work(traceQueries(tx))),
    );
}

function describe(name: string, statement?: Statement) {
  const attributes = {
    'db.system.name': 'postgresql',
    ...(statement && { 'db.query.summary': statement.name }),
  };
  return { name, kind: 'client', attributes } as const;
}
