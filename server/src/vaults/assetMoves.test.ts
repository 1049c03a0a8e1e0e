import { describe, expect, test } from 'vitest';
import { eventTopic } from '../chain/abi.ts';
import type { ChainClient, RawLog } from '../chain/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../domain/hex.ts';
import { readMoves, topicOf } from './assetMoves.ts';
import { TRANSFER } from './vaultLogs.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [WETH, VAULT, ALICE, BOB] = ['1', '2', 'a', 'b'].map(address) as [
  Address,
  Address,
  Address,
  Address,
];
const WRAPPED = eventTopic('event Deposit(address indexed dst, uint256 wad)');
const UNWRAPPED = eventTopic('event Withdrawal(address indexed src, uint256 wad)');
const TX: Hex = `0x${'7'.repeat(64)}`;

function log(logIndex: number, topic: Hex, accounts: readonly Address[], amount: bigint): RawLog {
  return {
    address: WETH,
    topics: [topic, ...accounts.map(topicOf)],
    data: `0x${amount.toString(16).padStart(64, '0')}`,
    ...{ blockNumber: 5, blockHash: TX, transactionHash: TX, logIndex, blockTime: 100 },
  };
}

function client(logs: readonly RawLog[]): ChainClient {
  return {
    logs: async ({ filter }: Parameters<ChainClient['logs']>[0]) =>
      logs.filter(({ topics }) =>
        (filter.topics ?? []).every((any, i) => any === null || any.includes(topics[i]!)),
      ),
  } as unknown as ChainClient;
}

const LOGS = [
  log(0, TRANSFER, [ALICE, VAULT], 3n),
  log(1, TRANSFER, [VAULT, BOB], 4n),
  log(2, WRAPPED, [VAULT], 5n),
  log(3, UNWRAPPED, [VAULT], 6n),
  log(4, WRAPPED, [BOB], 7n),
  log(5, TRANSFER, [BOB, ALICE], 8n),
];
const MOVES = [
  { from: ALICE, to: VAULT, amount: 3n },
  { from: VAULT, to: BOB, amount: 4n },
  { from: ZERO_ADDRESS, to: VAULT, amount: 5n },
  { from: VAULT, to: ZERO_ADDRESS, amount: 6n },
];

describe('readMoves', () => {
  /** Returns the moves by amount. */
  async function read(logs: readonly RawLog[], from: Address[], to: Address[]) {
    const moves = (await readMoves(client(logs), WETH, 5, { from, to })).get(TX) ?? [];
    return moves.toSorted((a, b) => Number(a.amount - b.amount));
  }

  test('default: transfers, and native coin that is wrapped or unwrapped', async () => {
    expect(await read(LOGS, [VAULT], [VAULT])).toEqual(MOVES);
  });

  test('behavior: each side only counts its own', async () => {
    expect(await read(LOGS, [], [VAULT])).toEqual([MOVES[0], MOVES[2]]);
    expect(await read(LOGS, [VAULT], [])).toEqual([MOVES[1], MOVES[3]]);
    expect(await read(LOGS, [], [])).toEqual([]);
  });

  test('behavior: a token that emits both is counted once', async () => {
    const both = [
      log(0, TRANSFER, [ZERO_ADDRESS, VAULT], 5n),
      log(1, WRAPPED, [VAULT], 5n),
      log(2, UNWRAPPED, [VAULT], 6n),
      log(3, TRANSFER, [VAULT, ZERO_ADDRESS], 6n),
    ];
    expect(await read(both, [VAULT], [VAULT])).toEqual([MOVES[2], MOVES[3]]);
  });
});
