import type { Header } from '../src/chain/chainClient.ts';
import type { Address, Hex } from '../src/domain/hex.ts';
import type { Movement } from '../src/domain/wallet/movement.ts';
import type { Commit } from '../src/ingest/commit.ts';
import type { FamilyReader } from '../src/ingest/read/familyReader.ts';
import { families } from '../src/store/families/families.ts';
import { sources } from '../src/store/sources/sources.ts';
import type { Store } from '../src/store/store.ts';

export const WALLET: Address = '0x00000000000000000000000000000000000000aa';
export const KEY = 'family:one';
const CHAINS = [1, 2];
const FINGERPRINT = 'same';

/** Registers one family, indexed up to block 10 and timestamp 100 on each of its chains. */
export async function prepareFamily(store: Store, chainIds = CHAINS): Promise<number> {
  return store.transaction(async (tx) => {
    const [family] = await families.register(tx, ['one']);
    const { familyId } = family!;
    for (const chainId of chainIds) {
      const row = { key: KEY, fingerprint: FINGERPRINT, familyId, feed: null, startBlock: 1 };
      await sources.insert(tx, [{ ...row, chainId }]);
      await sources.setStartTime(tx, chainId, [{ key: KEY }], 1);
      await sources.advance(tx, chainId, [row], { number: 10, time: 100 });
    }
    return familyId;
  });
}

/**
 * Returns a step after the last block that contains only movements. Default: blocks 11 to 20, timestamps 101 to 200.
 */
export function stepOf(
  familyId: number,
  chainId: number,
  movements: Movement[],
  { chainIds = CHAINS, from = { number: 10, time: 100 }, end = { number: 20, time: 200 } } = {},
): Commit {
  const source = { kind: 'family', key: KEY, fingerprint: FINGERPRINT, chainId };
  const reader = { kind: 'family', familyId, source } as unknown as FamilyReader;
  const to: Header = { ...end, hash: hash(end.number), parentHash: hash(end.number - 1) };
  const nothing = {
    history: [],
    sharePrices: [],
    pools: [],
    custody: [],
    queues: [],
    requests: [],
  };
  const rows = {
    reader,
    movements,
    ...nothing,
    depositRequests: [],
    governance: [],
    notices: [],
    flowFits: [],
    freeMints: [],
    ticks: [],
    unreadAt: null,
    isPruned: false,
  };
  return {
    step: {
      chainId,
      fromBlock: from.number + 1,
      fromTime: from.time,
      to,
      readers: [reader],
      families: [rows],
      prices: [],
      logs: 1,
    },
    ring: null,
    added: new Set(),
    progress: {
      head: end.number,
      headTime: end.time,
      finalized: 10,
      indexedBlock: end.number,
      indexedTime: end.time,
      state: 'live',
      backfilled: true,
      error: null,
      now: end.time,
    },
    families: [{ familyId, slug: 'one', feed: null, maxPriceAge: 3600, priceChainId: 1, chainIds }],
  };
}

export function depositAt(blockTime: number, chainId: number, logIndex = 0): Movement {
  const place = { blockTime, chainId, blockNumber: 15, logIndex };
  return { place, part: 0, wallet: WALLET, kind: 'deposit', shares: 5n, assets: 7n };
}

function hash(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`;
}
