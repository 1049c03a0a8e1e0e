import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import { useResource, useTokenChain } from '../../../test/paidTests.ts';
import type { ChainConfig } from '../../config/config.ts';
import { createFinalizedHead } from '../chain/finalizedHead.ts';
import { createNodes, NodesUnavailable } from '../chain/nodes.ts';
import { createFinalityReads, type FinalityReads, type SeenBlock } from './finalityReads.ts';

const world = useTokenChain({ payers: 1 });
const faulty = useResource(() => createFaultyRpc({ target: world.url }));
const nodes = useResource(() =>
  createNodes({ chainId: 8453, rpcUrls: [faulty.url], timeoutMs: 20_000 }),
);

describe('finality reads', () => {
  let time = 0;
  let reads: FinalityReads;
  beforeAll(() => {
    reads = createFinalityReads({ nodes, now: () => time });
  });

  async function mine(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await world.mine();
  }

  /** Returns heads as they were read, one per block. */
  async function watch(count: number): Promise<SeenBlock[]> {
    const seen: SeenBlock[] = [];
    for (let i = 0; i < count; i++) {
      await mine(1);
      seen.push((await reads.readView([], seen)).head);
    }
    return seen;
  }

  test('default: no reorg', async () => {
    const seen = await watch(3);
    await mine(2);
    const { fork, head } = await reads.readView([], seen);
    expect({ fork, number: head.number }).toEqual({ fork: null, number: world.chain.tip.number });
  });

  test.each([1, 2, 4, 7])('behavior: a reorg of %s blocks', async (depth) => {
    const seen = await watch(6);
    const blocks = Array.from({ length: depth + 1 }, () => ({ timestamp: world.now() }));
    await world.chain.reorg({ depth, blocks });
    const { fork } = await reads.readView([], seen);
    expect(fork).toBe(depth < 6 ? seen.at(-1 - depth)!.number : -1);
  });

  test('behavior: a lagging RPC endpoint fails; a chain that stays shorter had a reorg', async () => {
    const seen = await watch(5);
    await faulty.mode({ kind: 'lag', blocks: 2 });
    await expect(reads.readView([], seen)).rejects.toThrow(NodesUnavailable);
    time += 29_000;
    await expect(reads.readView([], seen)).rejects.toThrow(NodesUnavailable);
    time += 2_000;
    expect(await reads.readView([], seen)).toMatchObject({ fork: seen.at(-3)!.number });
    await faulty.mode({ kind: 'none' });
  });

  test('behavior: a shorter chain of another branch needs no waiting', async () => {
    const seen = await watch(5);
    await world.chain.reorg({ depth: 4, blocks: [{ timestamp: world.now() }] });
    expect(await reads.readView([], seen)).toMatchObject({ fork: seen[0]!.number });
  });
});

describe('finalized head', () => {
  const start = (finality: ChainConfig['finality']) => createFinalizedHead({ nodes, finality });
  function answer(reply: (rpc: typeof world.chain.rpc) => Promise<unknown>): void {
    const { controls, rpc } = world.chain;
    controls.set('eth_getBlockByNumber', ([block, full]) =>
      block === 'finalized' ? reply(rpc) : rpc('eth_getBlockByNumber', [block, full]),
    );
  }
  afterAll(() => world.chain.controls.clear());

  test('default: by the tag, never back and never above the head', async () => {
    let number = 3;
    answer((rpc) => rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]));
    const finalized = start('finalized');
    expect(await finalized(10)).toBe(3);
    number = 2;
    expect(await finalized(10)).toBe(3);
    number = 5;
    expect(await finalized(10)).toBe(5);
    expect(await finalized(4)).toBe(4);
    // A failing RPC endpoint changes nothing.
    answer(async () => null);
    for (let i = 0; i < 5; i++) expect(await finalized(500)).toBe(5);
  });

  test('behavior: by depth', async () => {
    const finalized = start({ depth: 10 });
    expect(await finalized(15)).toBe(5);
    expect(await finalized(5)).toBe(-1);
  });

  test('behavior: an RPC endpoint without the tag is soon detected, and depth counts', async () => {
    answer(async () => null);
    const finalized = start('finalized');
    expect(await finalized(500)).toBe(-1);
    expect(await finalized(500)).toBe(-1);
    expect(await finalized(500)).toBe(372);
    expect(await finalized(100)).toBe(-1);
  });
});
