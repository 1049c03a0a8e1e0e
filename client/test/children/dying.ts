import type { Signer, SpendStore } from '../../src/index.ts';

/** Determines when a process kills itself. */
export interface Death {
  /** Number of events after which it kills itself; absent: never. */
  readonly dieAt?: number;
  /** Delay after that event, in milliseconds, so that it dies in the middle of the next step. */
  readonly dieLater?: number;
}

/** Watches a payer's store, signer, and fetch: each start and end is an event. */
export function createDeath({ dieAt, dieLater }: Death) {
  let events = 0;
  return { watchStore, watchSigner, watchFetch };

  function happened(): void {
    events += 1;
    if (events !== dieAt) return;
    const die = () => process.kill(process.pid, 'SIGKILL');
    if (dieLater) setTimeout(die, dieLater);
    else die();
  }

  function watchStore(store: SpendStore): SpendStore {
    return {
      ...store,
      async transact(change) {
        happened();
        const result = await store.transact(change);
        happened();
        return result;
      },
    };
  }

  function watchSigner(signer: Signer): Signer {
    return {
      address: signer.address,
      async signTypedData(typedData) {
        happened();
        const signature = await signer.signTypedData(typedData);
        happened();
        return signature;
      },
    };
  }

  function watchFetch(own: typeof fetch): typeof fetch {
    return async (input, init) => {
      happened();
      const response = await own(input, init);
      happened();
      return response;
    };
  }
}
