import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../src/cli/usageError.ts';
import { command, fillStore } from '../src/commands/fill.ts';
import type { Config } from '../src/config/config.ts';
import { toIso } from '../src/domain/time.ts';
import { getFamilyGaps } from '../src/store/gaps/familyGaps.ts';
import { gapRequests } from '../src/store/gaps/gapRequests.ts';
import { type Gap, gaps } from '../src/store/gaps/gaps.ts';
import { sources } from '../src/store/sources/sources.ts';
import { type Store, statement } from '../src/store/store.ts';
import { describeAnyEngine } from './database.ts';
import { liveAt, startIndexing } from './indexing.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const BASE = 8453;
const clear = statement('test.fill.clear', 'delete from gap');

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'fill' });
});
afterAll(() => served?.close());

describeAnyEngine('assay fill', (open) => {
  let store: Store;
  let config: Config;
  let slug: string;
  let source: { familyId: number; indexedBlock: number };
  beforeAll(async () => {
    store = await open();
    config = served.config();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    slug = config.families[0]!.slug;
    const rows = await sources.getOfChain(store, BASE);
    const row = rows.find(({ key }) => key === `family:${slug}`)!;
    source = { familyId: row.familyId!, indexedBlock: row.indexedBlock };
  }, 60_000);
  beforeEach(async () => {
    await store.query(clear);
  });

  async function fill(words: Record<string, string> = {}) {
    const lines: string[] = [];
    const args = command.read(new Map(Object.entries(words)), undefined);
    const code = await fillStore.runOn({ config, store }, args as never, (line) =>
      lines.push(line),
    );
    expect(code).toBe(0);
    return lines;
  }

  const timeOf = async (block: number) => {
    const response = await fetch(served.urlOf(BASE), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber' },
        params: [`0x${block.toString(16)}`, false],
      }),
    });
    return Number(((await response.json()) as { result: { timestamp: string } }).result.timestamp);
  };

  const recorded = (): Gap => ({
    ...{ familyId: source.familyId, chainId: BASE, reason: 'state', initial: true },
    ...{ fromBlock: 12, toBlock: 14, fromTime: 1_000, toTime: 2_000, foundAt: 3_000 },
  });

  test('default: requests recorded gaps', async () => {
    expect(await fill()).toEqual([
      'No gaps are recorded. To read blocks again, use --from and --to.',
    ]);
    await gaps.add(store, recorded());
    expect(await gapRequests.findNewest(store, BASE)).toBeNull();
    expect(await fill({ family: slug, chain: '42161' })).toHaveLength(1);
    expect(await gapRequests.findNewest(store, BASE)).toBeNull();
    expect(await fill()).toEqual([expect.stringMatching(/^requested: Gap in \S+ on chain 8453: /)]);
    expect(await gapRequests.findNewest(store, BASE)).not.toBeNull();
    expect(await gapRequests.findNewest(store, 42161)).toBeNull();
  });

  test('behavior: records a block range around existing gaps', async () => {
    await gaps.add(store, recorded());
    const range = { family: slug, chain: String(BASE), from: '10', to: '16' };
    const lines = [`requested: ${slug} on chain 8453, blocks 10 to 16`];
    expect(await fill(range)).toEqual(lines);
    const found = await getFamilyGaps(store);
    expect(found.map(({ fromBlock, toBlock }) => [fromBlock, toBlock])).toEqual([
      [10, 11],
      [12, 14],
      [15, 16],
    ]);
    expect(found[0]).toMatchObject({
      ...{ family: slug, reason: 'state', initial: false },
      ...{ fromTime: await timeOf(9), toTime: await timeOf(11) },
    });
    expect(found[1]).toMatchObject({ initial: true, fromTime: 1_000, toTime: 2_000 });
    expect(found[2]).toMatchObject({ initial: false, toTime: await timeOf(16) });
    expect(found.every(({ requestedAt }) => requestedAt !== null)).toBe(true);
    expect(await fill(range)).toEqual(lines);
    expect(await gaps.getAll(store)).toHaveLength(3);
  });

  test('behavior: converts dates to indexed blocks of each chain', async () => {
    const [from, to] = [await timeOf(10), await timeOf(20)];
    const text = (time: number) => toIso(time).slice(0, 19);
    await fill({ family: slug, from: text(from), to: text(to) });
    const found = await getFamilyGaps(store);
    expect(found.find(({ chainId }) => chainId === BASE)).toMatchObject({
      ...{ fromBlock: 10, toBlock: 20, fromTime: await timeOf(9), toTime: to },
    });
    await store.query(clear);
    await fill({ family: slug, chain: String(BASE), from: '1990-01-01', to: '2090-01-01' });
    const [whole] = await getFamilyGaps(store);
    expect(whole!.toBlock).toBe(source.indexedBlock);
    await store.query(clear);
    expect(
      await fill({ family: slug, chain: String(BASE), from: '9000000', to: '9000009' }),
    ).toEqual([`skipped: ${slug} on chain 8453 has no indexed blocks in that range`]);
    expect(await gaps.getAll(store)).toEqual([]);
  });

  test('error: invalid arguments', async () => {
    await expect(fill({ family: 'other' })).rejects.toThrow('no family "other" in world.yaml');
    await expect(fill({ chain: '5' })).rejects.toThrow('no family on chain 5 in world.yaml');
    await expect(fill({ from: '1', to: '2' })).rejects.toThrow('block numbers need --chain');
    await expect(fill({ from: '1' })).rejects.toThrow(UsageError);
    await expect(fill({ from: 'soon', to: '2' })).rejects.toThrow('--from must be a block number');
    await expect(fill({ from: '2026-13-01', to: '2' })).rejects.toThrow('--from must be a block');
  });
});
