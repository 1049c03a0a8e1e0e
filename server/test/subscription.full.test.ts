import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRpcClient } from '../src/chain/rpcClient.ts';
import { RpcUnreachable } from '../src/chain/rpcError.ts';
import { withDatabase } from './database.ts';
import { createFaultyRpc, type FaultyRpc } from './faultyRpc.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { type ServedWorld, serveWorld } from './world.ts';
import { serveWs, type WsRpc } from './wsRpc.ts';

const [BASE, ARBITRUM] = [8453, 42161] as const;
let served: ServedWorld;
let rpc: WsRpc;
/** In front of a chain without a subscription. */
let polled: FaultyRpc;
beforeAll(async () => {
  served = await serveWorld({ seed: 'subscription', chainIds: [BASE, ARBITRUM] });
  rpc = await serveWs(served.world.chain(BASE).chain);
  polled = await createFaultyRpc({ target: served.urlOf(ARBITRUM) });
});
afterAll(async () => {
  await rpc?.close();
  await polled?.close();
  await served?.close();
});

async function grow(): Promise<void> {
  const { chain } = served.world.chain(BASE);
  await chain.exclusive(() => chain.mine(chain.tip.time + 2));
}

test('default: requests and batches over one socket, which is reopened after a drop', async () => {
  const client = createRpcClient({ url: rpc.url, upstream: 1, timeoutMs: 5_000 });
  const header = (number: number) => ({
    method: 'eth_getBlockByNumber',
    params: [`0x${number.toString(16)}`, false],
  });
  const [id, outcomes] = await Promise.all([
    client.request('eth_chainId', []),
    client.batch([3, 1, 2].map(header)),
  ]);
  expect(Number(id)).toBe(BASE);
  const numbers = outcomes.map(
    (one) => 'result' in one && (one.result as { number: string }).number,
  );
  expect(numbers).toEqual(['0x3', '0x1', '0x2']);
  rpc.drop();
  await expect(client.request('eth_chainId', [])).rejects.toThrow(RpcUnreachable);
  rpc.accept();
  await expect.poll(() => client.request('eth_chainId', []).catch(() => null)).toBe(id);
  client.close();
  await expect(client.request('eth_chainId', [])).rejects.toMatchObject({ reason: 'aborted' });
});

test('behavior: new heads wake the indexer; an idle chain is left alone; a drop is made up for by polling', () =>
  withDatabase('pglite', async (database) => {
    const config = served.config({
      rpc: { [BASE]: [rpc.url], [ARBITRUM]: [polled.url] },
      chain: { finality: { depth: 64 } },
    });
    const indexing = startIndexing(await database.open(), config);
    await indexing.until(liveAt(served.heads()));
    await expect.poll(rpc.subscribers).toBe(1);

    // The head is read once per new head and never in between.
    await settled();
    const before = looks();
    for (let i = 0; i < 5; i++) {
      await grow();
      await rpc.announce();
      await indexing.until(liveAt(served.heads()));
    }
    await settled();
    expect(looks() - before).toBeLessThanOrEqual(10);
    expect(looks() - before).toBeGreaterThanOrEqual(5);

    rpc.drop();
    await grow();
    rpc.accept();
    // The missed head is found by polling. Then the subscription is restored.
    await indexing.until(liveAt(served.heads()));
    await expect.poll(rpc.subscribers, { timeout: 20_000 }).toBe(1);
    await grow();
    await rpc.announce();
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
  }));

const METHOD = 'eth_getBlockByNumber';
const looks = () => rpc.calls()[METHOD] ?? 0;
const polls = () => polled.requests.filter(({ method }) => method === METHOD).length;

/** Waits until the other chain was polled ten times without a read of this one. */
async function settled(): Promise<void> {
  for (;;) {
    const [looked, before] = [looks(), polls()];
    await expect.poll(polls).toBeGreaterThanOrEqual(before + 10);
    if (looks() === looked) return;
  }
}
