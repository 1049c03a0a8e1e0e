import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RATE_CALL } from '../../../test/rateCall.ts';
import type { ChainClient } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import type { BlockAnswer } from './blockReads.ts';
import { createEarlierRatios, findLastKnown } from './earlierRatios.ts';

/** Searches blocks that have a value from `first` on; the value is the block number. */
function search(first: number, before: number, has: (block: number) => boolean) {
  const asked: number[] = [];
  const read = async (block: number) => {
    asked.push(block);
    return has(block) ? block : null;
  };
  return { found: findLastKnown(read, first, before), asked };
}

describe('findLastKnown', () => {
  test('default: the last block with a value', async () => {
    const block = fc.integer({ min: 0, max: 100_000 });
    await fc.assert(
      fc.asyncProperty(block, block, block, async (a, b, c) => {
        const [first, pausedFrom, before] = [a, b, c].sort((x, y) => x - y) as [
          number,
          number,
          number,
        ];
        fc.pre(first < pausedFrom);
        const { found, asked } = search(first, before, (one) => one < pausedFrom);
        expect(await found).toBe(Math.min(pausedFrom, before) - 1);
        expect(asked.every((one) => one >= first && one < before)).toBe(true);
        expect(asked.length).toBeLessThan(60);
      }),
    );
  });

  test('behavior: finds nothing before a contract had a value, and the last value of one that had it for a while', async () => {
    expect(await search(1_000, 9_000, () => false).found).toBeNull();
    expect(await search(1_000, 1_000, () => true).found).toBeNull();
    expect(await search(1_000, 9_000, (one) => one >= 1_100 && one < 3_000).found).toBe(2_999);
  });

  test('behavior: searches for neighboring blocks share most of their reads', async () => {
    const asked = new Set<number>();
    for (let before = 60_000; before < 60_100; before++) {
      const one = search(1, before, (block) => block < 20_000);
      expect(await one.found).toBe(19_999);
      for (const block of one.asked) asked.add(block);
    }
    expect(asked.size).toBeLessThan(150);
  });
});

const vault = {
  family: { adapter: 'rated' },
  chain: {
    startBlock: 1,
    rated: {
      rate: { ...RATE_CALL, decimals: 0 },
    },
  },
  ...{ assetDecimals: 0, shareDecimals: 0 },
} as unknown as VaultOnChain;

/** The rate is the block's number; from `pausedFrom` on it reverts. No state is older than `oldest`. */
function chain(pausedFrom: number, oldest = 0): ChainClient {
  return {
    header: async (number: number) => ({ number, time: number }),
    async multicall(_: unknown, block: number) {
      if (block < oldest) throw new StateUnavailable({ upstream: 1, reason: 'pruned' });
      return [block < pausedFrom ? `0x${block.toString(16).padStart(64, '0')}` : null];
    },
  } as unknown as ChainClient;
}

function answer(block: number, price: BlockAnswer['price']): BlockAnswer {
  return { block, price, start: undefined, queues: new Map() };
}

describe('createEarlierRatios', () => {
  test('default: a block without a rate uses the last rate, regardless of earlier reads', async () => {
    const given = { answers: [answer(30, null), answer(31, undefined)], isPruned: false };
    const fresh = await createEarlierRatios(vault).complete(chain(26), given);
    expect(fresh.answers.map(({ price }) => price)).toEqual([
      { assets: 25n, shares: 1n },
      undefined,
    ]);
    const later = createEarlierRatios(vault);
    await later.complete(chain(26), { answers: [answer(29, null)], isPruned: false });
    expect(await later.complete(chain(26), given)).toEqual(fresh);
  });

  test('behavior: without the state of earlier blocks it counts as not read', async () => {
    const given = { answers: [answer(90, null)], isPruned: false };
    expect(await createEarlierRatios(vault).complete(chain(26, 80), given)).toEqual({
      answers: [answer(90, undefined)],
      isPruned: true,
    });
  });

  test('behavior: a vault of ERC-4626 that reverts for a while counts at its last rate too', async () => {
    const plain = { ...vault, family: { adapter: 'erc4626' }, found: { ratioAmounts: [10n] } };
    const given = { answers: [answer(30, null)], isPruned: false };
    const { answers } = await createEarlierRatios(plain as never).complete(chain(26), given);
    expect(answers[0]!.price).toEqual({ assets: 25n, shares: 10n });
  });
});
