import { describe, expect, test } from 'vitest';
import type { ChainClient, RawLog } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { POOL_DECLARED } from '../../vaults/pools.ts';
import { REDEEM_REQUEST, SHARE_PRICE_UPDATED } from '../../vaults/receiverQueue/abi.ts';
import { DEPOSIT, TRANSFER, WITHDRAW } from '../../vaults/vaultLogs.ts';
import type { FamilySource } from '../sources.ts';
import { createFamilyReader } from './familyReader.ts';
import { NOTHING_STORED } from './storedSource.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const VAULT = address('1');
const ORACLE = address('2');
const REGISTRY = address('3');
const ALICE = address('a');
const CHAIN_ID = 8453;

const word = (value: bigint | Hex): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');
const topic = (value: bigint | Hex): Hex => `0x${word(value)}`;
const data = (...values: (bigint | Hex)[]): Hex => `0x${values.map(word).join('')}`;

let index = 0;
function log(from: Address, topics: readonly Hex[], body: Hex): RawLog {
  return {
    address: from,
    topics,
    data: body,
    blockNumber: 5,
    blockHash: topic(5n),
    transactionHash: topic(6n),
    logIndex: index++,
    blockTime: 100,
  };
}

const place = ({ blockNumber, logIndex }: RawLog): LogPlace => ({
  blockTime: 100,
  chainId: CHAIN_ID,
  blockNumber,
  logIndex,
});

const TO = { number: 100, time: 1_000, hash: topic(1n), parentHash: topic(0n) };

/** Creates the reader of a single vault; no other contract is called. */
async function familyReader(
  adapter: 'receiver-queue' | 'erc7540' = 'receiver-queue',
  contracts = { oracle: ORACLE, registry: REGISTRY },
) {
  const family = {
    slug: 'x',
    address: VAULT,
    adapter,
    bindingDeclarationAddress: VAULT,
    pools: [],
  };
  const chain = { chainId: CHAIN_ID, address: VAULT, routers: [], registry: contracts.registry };
  const source = { kind: 'family', family, chain, master: null } as unknown as FamilySource;
  const facts = { familyId: 1, chainId: CHAIN_ID } as VaultRow;
  const units = { asset: address('8'), assetDecimals: 6, share: VAULT, shareDecimals: 6 };
  const found = {
    vaults: [VAULT],
    sameAsset: new Set([VAULT]),
    severalAssets: false,
    custody: [VAULT],
    ratioAmounts: [10n ** 6n],
    allocator: null,
    oracle: { address: contracts.oracle, entry: VAULT },
  };
  const { family: named, chain: on } = source;
  const vault = { family: named, chain: on, master: null, ...units, found };
  const reader = createFamilyReader(source, facts, vault, NOTHING_STORED);
  // A node without old state, so only the logs count.
  const pruned = async () => {
    throw new StateUnavailable({ upstream: 1, reason: 'pruned' });
  };
  const client = { multicall: pruned } as unknown as ChainClient;
  return {
    filter: reader.filter,
    take: (logs: readonly RawLog[]) => reader.take(logs, { client, concurrency: 1, to: TO, place }),
  };
}

function poolLog(change: { epoch?: bigint; riskScore?: bigint; topics?: number } = {}): RawLog {
  const { epoch = 1n, riskScore = 80n, topics = 3 } = change;
  const name = Buffer.from('base:lending:one').toString('hex');
  const body = data(256n, BigInt(CHAIN_ID), address('9'), 2n, 1n, 1n, riskScore, epoch, 16n);
  return log(
    REGISTRY,
    [POOL_DECLARED, topic(VAULT), topic(7n)].slice(0, topics),
    `${body}${name.padEnd(64, '0')}` as Hex,
  );
}

describe('createFamilyReader', () => {
  test('default', async () => {
    const reader = await familyReader();
    const meaning = await reader.take([
      log(ORACLE, [SHARE_PRICE_UPDATED, topic(VAULT)], data(2_000_000n, 99n)),
      log(VAULT, [TRANSFER, topic(0n), topic(ALICE)], data(50n)),
      log(VAULT, [DEPOSIT, topic(ALICE), topic(ALICE)], data(100n, 50n)),
      poolLog(),
    ]);
    expect(meaning.history).toMatchObject([{ type: 'deposit', wallet: ALICE, assets: 100n }]);
    expect(meaning.movements).toMatchObject([{ kind: 'deposit', shares: 50n }]);
    expect(meaning.sharePrices).toMatchObject([{ price: 2_000_000n }]);
    expect(meaning.pools).toMatchObject([
      {
        pool: {
          poolId: topic(7n),
          offchainId: 'base:lending:one',
          venue: address('9'),
          venueKind: 2,
          idleOnly: true,
          status: 1,
          riskScore: 80,
          epoch: 1,
        },
      },
    ]);
  });

  test('behavior: prices and pools of other vaults are ignored', async () => {
    const reader = await familyReader();
    const foreign = poolLog();
    const meaning = await reader.take([
      log(ORACLE, [SHARE_PRICE_UPDATED, topic(ALICE)], data(2_000_000n, 99n)),
      { ...foreign, topics: [POOL_DECLARED, topic(ALICE), topic(7n)] },
    ]);
    expect(meaning.sharePrices).toEqual([]);
    expect(meaning.pools).toEqual([]);
  });

  test('behavior: an instant redemption comes from its withdrawal, a queued one from its request', async () => {
    const reader = await familyReader();
    const request = (instant: bigint) =>
      log(VAULT, [REDEEM_REQUEST, topic(ALICE), topic(ALICE), topic(instant)], data(10n, 5n));
    expect((await reader.take([request(1n)])).history).toEqual([]);
    expect((await reader.take([request(0n)])).history).toMatchObject([{ type: 'redeem' }]);
  });

  // A log with a known first topic can have another shape. No log may stop the chain.
  test.each([
    [
      'a transfer of a token that cannot be divided',
      [log(VAULT, [TRANSFER, topic(0n), topic(ALICE), topic(1n)], '0x')],
    ],
    ['no data', [log(VAULT, [DEPOSIT, topic(ALICE), topic(ALICE)], '0x')]],
    [
      'nothing indexed',
      [DEPOSIT, WITHDRAW, TRANSFER, REDEEM_REQUEST].map((one) =>
        log(VAULT, [one], data(1n, 2n, 3n, 4n)),
      ),
    ],
    [
      'one topic',
      [DEPOSIT, WITHDRAW, TRANSFER, REDEEM_REQUEST].map((one) =>
        log(VAULT, [one, topic(ALICE)], data(1n, 2n, 3n)),
      ),
    ],
    [
      'two topics of three',
      [log(VAULT, [REDEEM_REQUEST, topic(ALICE), topic(ALICE)], data(1n, 2n, 0n))],
    ],
    [
      'a price without its vault',
      [log(ORACLE, [SHARE_PRICE_UPDATED], data(BigInt(VAULT), 1n, 2n))],
    ],
    ['a pool without its id', [poolLog({ topics: 2 })]],
    ['no topics at all', [log(VAULT, [], data(1n))]],
  ])('behavior: %s is ignored', async (_, logs) => {
    for (const adapter of ['receiver-queue', 'erc7540'] as const) {
      const reader = await familyReader(adapter);
      const { history, movements, sharePrices, pools } = await reader.take(logs);
      expect([history, movements, sharePrices, pools]).toEqual([[], [], [], []]);
    }
  });

  test('behavior: an epoch beyond exact numbers is capped', async () => {
    const reader = await familyReader();
    const { pools } = await reader.take([poolLog({ epoch: 2n ** 64n - 1n })]);
    expect(pools[0]!.pool.epoch).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('behavior: one contract may be oracle and registry; it is read once', async () => {
    const reader = await familyReader('receiver-queue', { oracle: ORACLE, registry: ORACLE });
    expect(reader.filter.addresses).toEqual([VAULT, ORACLE]);
  });
});

describe('VaultEvent', () => {
  test('behavior: every log of one transaction keeps its own position', async () => {
    const reader = await familyReader();
    const logs = [
      log(VAULT, [TRANSFER, topic(ALICE), topic(address('b'))], data(5n)),
      log(VAULT, [TRANSFER, topic(address('b')), topic(ALICE)], data(5n)),
    ];
    const { movements } = await reader.take(logs);
    const places = movements.map((one): VaultEvent['place'] => one.place);
    expect(new Set(places.map(({ logIndex }) => logIndex)).size).toBe(2);
  });
});
