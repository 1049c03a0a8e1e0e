import { describe, expect, test } from 'vitest';
import type { Call, ChainClient } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { VaultOnChain } from '../../vaults/kind.ts';
import { type BlockQuestion, readBlocks } from './blockReads.ts';

const VAULT: Address = `0x${'1'.repeat(40)}`;
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

const vault = {
  family: { address: VAULT, adapter: 'erc4626', pools: [] },
  chain: { chainId: 1, address: VAULT, routers: [] },
  asset: `0x${'3'.repeat(40)}`,
  assetDecimals: 6,
  share: VAULT,
  shareDecimals: 6,
  found: { vaults: [VAULT], ratioAmounts: [10n ** 6n] },
} as unknown as VaultOnChain;

/** Returns the block number for every call, and has no state before `first`. */
function nodeWithStateFrom(first: number): ChainClient {
  return {
    upstream: 1,
    async multicall(calls: readonly Call[], block: number) {
      if (block < first) throw new StateUnavailable({ upstream: 1, reason: 'pruned' });
      return calls.map(() => word(BigInt(block)));
    },
  } as unknown as ChainClient;
}

function question(block: number, start: boolean): BlockQuestion {
  return { block, time: block, price: true, start, wallets: [] };
}

describe('readBlocks', () => {
  test('default', async () => {
    const questions = [question(9, false), question(10, true)];
    const { answers, isPruned } = await readBlocks(nodeWithStateFrom(1), vault, null, questions, 2);
    expect(isPruned).toBe(false);
    expect(answers).toMatchObject([
      { block: 9, price: { assets: 9n }, start: undefined },
      { block: 10, price: { assets: 10n }, start: { price: { assets: 9n } } },
    ]);
  });

  test('behavior: a block is left out if no endpoint has the price before it', async () => {
    const node = nodeWithStateFrom(10);
    const only = await readBlocks(node, vault, null, [question(10, true)], 2);
    expect(only).toEqual({ answers: [], isPruned: true });
    const both = [question(10, true), question(12, true)];
    const { answers, isPruned } = await readBlocks(node, vault, null, both, 2);
    expect(answers.map(({ block }) => block)).toEqual([12]);
    expect(isPruned).toBe(true);
    const after = [question(10, false), question(12, true)];
    expect(await readBlocks(node, vault, null, after, 2)).toMatchObject({ isPruned: false });
  });
});
