import { describe, expect, test } from 'vitest';
import type { Address, Hex } from '../hex.ts';
import { POOL_STATUS, type PoolDeclaration, poolsInForce, VENUE } from './event.ts';

const VENUE_ADDRESS: Address = `0x${'1'.repeat(40)}`;

function declared(id: string, block: number, epoch: number, change: Partial<PoolDeclaration> = {}) {
  const pool: PoolDeclaration = {
    poolId: id as Hex,
    offchainId: `base:lending:${id}`,
    venue: VENUE_ADDRESS,
    venueKind: VENUE.plain,
    idleOnly: false,
    status: POOL_STATUS.active,
    riskScore: 0,
    epoch,
    ...change,
  };
  return { place: { blockTime: block, chainId: 1, blockNumber: block, logIndex: 0 }, pool };
}

const show = (pools: readonly PoolDeclaration[]) =>
  pools.map(({ poolId, epoch }) => [poolId, epoch]);

describe('poolsInForce', () => {
  test('default', () => {
    const all = [declared('0xa', 1, 1), declared('0xb', 2, 2), declared('0xa', 3, 3)];
    expect(show(poolsInForce(all, 3))).toEqual([
      ['0xa', 3],
      ['0xb', 2],
    ]);
  });

  test('behavior: declarations above the block are not known yet', () => {
    const all = [declared('0xa', 1, 1), declared('0xb', 2, 2), declared('0xa', 3, 3)];
    expect(show(poolsInForce(all, 1))).toEqual([['0xa', 1]]);
    expect(poolsInForce(all, 0)).toEqual([]);
  });

  test('behavior: the highest epoch wins over a later log', () => {
    const all = [declared('0xa', 1, 5), declared('0xa', 2, 4)];
    expect(show(poolsInForce(all, 9))).toEqual([['0xa', 5]]);
  });

  test('behavior: among equal epochs the later log wins', () => {
    const all = [declared('0xa', 1, 5), declared('0xa', 2, 5, { riskScore: 70 })];
    expect(poolsInForce(all, 9)[0]!.riskScore).toBe(70);
  });

  test('behavior: removed is gone, exit-only stays, and a removed pool may return', () => {
    const removed = declared('0xa', 2, 2, { status: POOL_STATUS.removed });
    const exitOnly = declared('0xb', 2, 3, { status: POOL_STATUS.exitOnly });
    const all = [declared('0xa', 1, 1), removed, exitOnly, declared('0xa', 5, 6)];
    expect(show(poolsInForce(all, 4))).toEqual([['0xb', 3]]);
    expect(show(poolsInForce(all, 5))).toEqual([
      ['0xa', 6],
      ['0xb', 3],
    ]);
  });
});
