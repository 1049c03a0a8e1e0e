import { createClient } from '@assay/client';
import { readSnapshot, watchEvents } from '@assay/client/watch';
import { expect, test } from 'vitest';
import { parseConfig } from '../src/config/load.ts';
import type { Hex } from '../src/domain/hex.ts';
import { events } from '../src/store/events/events.ts';
import { families } from '../src/store/families/families.ts';
import { history } from '../src/store/history/history.ts';
import { type Store, statement } from '../src/store/store.ts';
import { describeAnyEngine } from './database.ts';
import { startEventServer } from './eventServer.ts';
import { freePort } from './freePort.ts';

const CHAIN = 8453;
const WALLET = `0x${'0b'.repeat(20)}` as const;
const config = parseConfig({
  file: 'assay.yaml',
  text: `chains: [{ id: ${CHAIN}, name: base, rpc: ["http://127.0.0.1:1"] }]
families:
  - slug: svcusd
    name: Vault
    address: "0x${'0a'.repeat(20)}"
    adapter: erc4626
    base: { marketDataId: usd-coin }
    share: { marketDataId: svcusd }
    chains: [{ chain: ${CHAIN}, role: settlement }]
`,
  env: {},
});
/** After this time, pending requests are disconnected. */
const GRACE_MS = 300;

const forget = statement(
  'test.watchEvents.forget',
  `with head as (update event_head set first_seq = seq returning seq)
   delete from event_batch b using head where b.seq < head.seq`,
);

describeAnyEngine('watchEvents at a server', (open) => {
  let familyId: number;

  async function prepare() {
    const store = await open();
    const [family] = await families.register(store, ['svcusd']);
    familyId = family!.familyId;
    await store.transaction((tx) => events.finalize(tx, CHAIN, 0));
    const port = await freePort();
    const errors: unknown[] = [];
    const start = () =>
      startEventServer({ config, store, port, onError: (error) => void errors.push(error) });
    const client = createClient({ url: `http://127.0.0.1:${port}` });
    return { store, start, client, errors };
  }

  /** A deposit in a separate block. */
  const deposit = (store: Store, block: number) =>
    store.transaction(async (tx) => {
      const place = { blockNumber: block, logIndex: 0, blockTime: block };
      const txHash = `0x${'0c'.repeat(32)}` as Hex;
      const what = { type: 'deposit', wallet: WALLET, assets: BigInt(block), shares: 1n } as const;
      await history.insert(tx, familyId, CHAIN, [{ place, txHash, ...what } as never]);
      const blocks = { fromBlock: block, toBlock: block, fromTime: block, toTime: block };
      await events.add(tx, { chainId: CHAIN, families: [familyId], ...blocks }, -1);
    });

  /** Removes the blocks from `block` on. */
  const reorganize = (store: Store, block: number) =>
    store.transaction(async (tx) => {
      const to = { number: block - 1, time: block - 1 };
      await events.retractAbove(tx, CHAIN, [familyId], to);
      await history.removeAbove(tx, CHAIN, to);
    });

  test('default: applied, retracted, and final in order, while the server is killed between them', async () => {
    const { store, start, client, errors } = await prepare();
    let server = await start();
    const controller = new AbortController();
    const asked = { after: await latest(), signal: controller.signal };
    const steps = [
      () => deposit(store, 1),
      () => deposit(store, 2),
      () => reorganize(store, 2),
      () => deposit(store, 2),
      () => store.transaction((tx) => events.finalize(tx, CHAIN, 2)),
    ];
    const seen: string[] = [];
    const watching = watchEvents(client, asked, { maxRetryMs: 50 });
    for (const [i, step] of steps.entries()) {
      const next = watching.next();
      // Disconnects the pending request, and restarts the server before or after the commit.
      await server.close(GRACE_MS);
      if (i % 2 === 0) server = await start();
      await step();
      if (i % 2 === 1) server = await start();
      seen.push(shown((await next).value!));
    }
    seen.push(shown((await watching.next()).value!));
    expect(seen).toEqual([
      `applied ${CHAIN}-1-0`,
      `applied ${CHAIN}-2-0`,
      `retracted ${CHAIN}-2-0`,
      `applied ${CHAIN}-2-0`,
      `final ${CHAIN}-1-0`,
      `final ${CHAIN}-2-0`,
    ]);
    const last = watching.next();
    controller.abort();
    expect(await last).toEqual({ done: true, value: undefined });
    expect(errors).toEqual([]);
    await server.close(GRACE_MS);

    async function latest(): Promise<string> {
      return (await readSnapshot(client, {})).cursor;
    }
  });

  test('error: an expired cursor, and how to continue', async () => {
    const { store, start, client, errors } = await prepare();
    const server = await start();
    const { cursor } = await readSnapshot(client, {});
    await deposit(store, 3);
    await deposit(store, 4);
    await store.query(forget);
    const rejected = expect(watchEvents(client, { after: cursor }).next()).rejects;
    await rejected.toMatchObject({ type: 'cursor_gone', cursor, cause: { status: 410 } });

    const snapshot = await readSnapshot(client, { amounts: 'bigint' });
    await deposit(store, 5);
    const assets = new Map<string, bigint | null>();
    expect(errors).toEqual([]);
    for await (const item of snapshot.items) assets.set(item.id, item.assets);
    expect(assets.get(`${CHAIN}-3-0`)).toBe(3n);
    const watching = watchEvents(client, { after: snapshot.cursor });
    expect(shown((await watching.next()).value!)).toBe(`applied ${CHAIN}-5-0`);
    await watching.return();
    await server.close(GRACE_MS);
  });
});

function shown({ state, id }: { readonly state: string; readonly id: string }): string {
  return `${state} ${id}`;
}
