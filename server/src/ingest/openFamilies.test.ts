import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../test/database.ts';
import { type ServedWorld, serveWorld } from '../../test/world.ts';
import { createUpstreams } from '../chain/upstreams.ts';
import type { Queryable, Statement, Store } from '../store/store.ts';
import { loadChainState } from './chainState.ts';
import { registerSources } from './register.ts';

const BASE = 8453;

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'open families', chainIds: [BASE] });
});
afterAll(() => served?.close());

describeAnyEngine('openFamilies', (open) => {
  test('behavior: many families need no more statements and requests than one', async () => {
    const slugs = served.world.families.map(({ slug }) => slug);
    expect(slugs.length).toBeGreaterThan(1);
    const one = await openAll(await open(), slugs.slice(0, 1));
    const many = await openAll(await open(), slugs);
    expect(one.opened).toEqual(1);
    expect(many.opened).toEqual(slugs.length);
    expect(many.statements).toBe(one.statements);
    expect(many.requests).toBe(one.requests);
  });
});

async function openAll(store: Store, families: readonly string[]) {
  const config = served.config({ families });
  const counts = { statements: 0, requests: 0 };
  const count = <Q extends Queryable>(db: Q): Q => ({
    ...db,
    query<Row>(...asked: [Statement, ...never[]]) {
      counts.statements++;
      return db.query<Row>(...asked);
    },
  });
  const registered = await registerSources(store, config);
  const upstreams = createUpstreams({ chain: config.chains[0]!, onCalls: onCalls });
  const leadership = await store.lead(BASE);
  function onCalls(): void {
    counts.requests++;
  }
  try {
    const { client, head } = await upstreams.pick();
    counts.requests = 0;
    const state = await loadChainState({
      store: count(store),
      leadership: {
        ...leadership!,
        transaction: (work) => leadership!.transaction((tx) => work(count(tx))),
      },
      ...{ chainId: BASE, registered, allRegistered: registered, client, head },
      ...{ genesis: await upstreams.genesisHash(), now: 0, halted: new Map() },
    });
    const readers = [...state.readers.values()].filter(({ kind }) => kind === 'family');
    expect([...state.broken]).toEqual([]);
    return { ...counts, opened: readers.length };
  } finally {
    await leadership!.release();
    upstreams.close();
  }
}
