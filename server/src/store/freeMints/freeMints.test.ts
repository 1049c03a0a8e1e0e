import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { notices } from '../notices/notices.ts';
import { type FreeMint, freeMints } from './freeMints.ts';

const ALICE: Address = `0x${'a1'.repeat(20)}`;
const BOB: Address = `0x${'b0'.repeat(20)}`;
const CHAIN = 8453;
const hash = (i: number): Hex => `0x${i.toString(16).padStart(64, '0')}`;
const mint = (blockNumber: number, wallet: Address): FreeMint => ({
  place: { blockNumber, blockTime: 1_800_000_000 + blockNumber },
  txHash: hash(blockNumber),
  wallet,
  isBurn: false,
});

describeEachEngine('freeMints', (open) => {
  test('default: transactions examined up to a block, without those that a reorg removed', async () => {
    const store = await open();
    const examined = async (upTo: number) =>
      (await freeMints.getExamined(store, [1, 2], CHAIN, upTo)).get(1)?.mints;
    await freeMints.removeOfSource(store, 1, CHAIN);
    await notices.removeOfSource(store, 1, CHAIN);
    expect(await examined(100)).toBeUndefined();
    const rows = [mint(10, ALICE), mint(10, BOB), mint(12, ALICE)];
    await freeMints.insert(store, 1, CHAIN, rows);
    // Simulates a repeated commit after a failure.
    await freeMints.insert(store, 1, CHAIN, rows);
    const { isBurn: _, ...place } = mint(8, BOB);
    const paid = { code: 'unseen-deposit', ...place } as const;
    await notices.insert(store, 1, CHAIN, [
      paid,
      { ...paid, wallet: ALICE },
      { ...paid, code: 'other-asset', place: mint(5, BOB).place },
    ]);
    const first = [
      [ALICE, 1],
      [BOB, 1],
    ] as const;
    expect(await examined(11)).toEqual({
      ...{ transactions: 2, since: 1_800_000_008, free: new Map(first) },
    });
    expect((await examined(12))!.free.get(ALICE)).toBe(2);
    await freeMints.removeAbove(store, CHAIN, 11);
    expect(await examined(100)).toEqual(await examined(11));
    expect(await freeMints.getExamined(store, [2], CHAIN, 100)).toEqual(new Map());
  });

  test('behavior: burns are examined apart from mints', async () => {
    const store = await open();
    await freeMints.removeOfSource(store, 1, CHAIN);
    await notices.removeOfSource(store, 1, CHAIN);
    await freeMints.insert(store, 1, CHAIN, [mint(20, ALICE), { ...mint(21, BOB), isBurn: true }]);
    const { isBurn: _, ...place } = mint(22, BOB);
    await notices.insert(store, 1, CHAIN, [{ code: 'unseen-redemption', ...place }]);
    const { mints, burns } = (await freeMints.getExamined(store, [1], CHAIN, 100)).get(1)!;
    expect(mints).toEqual({ transactions: 1, since: 1_800_000_020, free: new Map([[ALICE, 1]]) });
    expect(burns).toEqual({ transactions: 2, since: 1_800_000_021, free: new Map([[BOB, 1]]) });
  });
});
