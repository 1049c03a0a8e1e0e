import { beforeEach, expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import type { Address } from '../../domain/hex.ts';
import type { Store } from '../store.ts';
import { type DepositRequest, depositRequests } from './depositRequests.ts';

const ALICE: Address = `0x${'a1'.repeat(20)}`;
const BOB: Address = `0x${'b0'.repeat(20)}`;
const LARGEST = 10n ** 78n - 1n;

function request(
  blockNumber: number,
  wallet: Address,
  requestId: bigint | null,
  chainId = 8453,
): DepositRequest {
  const place = { blockTime: 1_800_000_000 + blockNumber, chainId, blockNumber, logIndex: 3 };
  return { place, wallet, requestId, assets: LARGEST };
}

describeEachEngine('depositRequests', (open) => {
  let store: Store;
  beforeEach(async () => {
    store = await open();
    for (const [family, chain] of [
      [1, 8453],
      [1, 10],
      [2, 8453],
    ] as const)
      await depositRequests.removeOfSource(store, family, chain);
    await depositRequests.insert(store, 1, 8453, [
      request(10, ALICE, 1n),
      request(11, ALICE, 1n),
      request(12, ALICE, 7n),
      request(13, ALICE, LARGEST),
      request(14, BOB, 5n),
      request(15, ALICE, null),
    ]);
    await depositRequests.insert(store, 2, 8453, [request(10, ALICE, 2n)]);
    await depositRequests.insert(store, 1, 10, [request(90, ALICE, 4n, 10)]);
  });

  const idsOf = async (wallet: Address, most = 10) =>
    (await depositRequests.getIdsOfWallet(store, wallet, most)).map(
      ({ familyId, chainId, requestId }) => `${familyId} ${chainId} ${requestId}`,
    );

  test('default', async () => {
    expect(await idsOf(BOB)).toEqual(['1 8453 5']);
    // Each number once, the largest first. A request without a number cannot be queried.
    expect(await idsOf(ALICE)).toEqual([
      '1 10 4',
      '1 8453 1',
      '1 8453 7',
      `1 8453 ${LARGEST}`,
      '2 8453 2',
    ]);
    // The largest and the newest requests.
    const few = ['1 10 4', '1 8453 1', `1 8453 ${LARGEST}`, '2 8453 2'];
    expect(await idsOf(ALICE, 1)).toEqual(few);
    await depositRequests.insert(store, 1, 8453, []);
  });

  test('behavior: a reorg removes the requests above its block, on its chain only', async () => {
    await depositRequests.removeAbove(store, 8453, 11);
    expect(await idsOf(ALICE)).toEqual(['1 10 4', '1 8453 1', '2 8453 2']);
    expect(await idsOf(BOB)).toEqual([]);
  });

  test('behavior: a source that restarts', async () => {
    await depositRequests.removeOfSource(store, 1, 8453);
    expect(await idsOf(ALICE)).toEqual(['1 10 4', '2 8453 2']);
  });
});
