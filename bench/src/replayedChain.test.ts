import { describe, expect, test } from 'vitest';
import { ORACLE, TOPICS, VAULT } from './contracts.ts';
import { type LogFilter, type ReplayedChain, replayChain } from './replayedChain.ts';
import { addressWord } from './world.ts';

interface Log {
  readonly address: string;
  readonly topics: string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly blockTimestamp?: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
}

const options = { events: 10_003, seed: 7, headTime: 1_700_000_000, logTimes: true };
const chain = replayChain(options);
const EVERYTHING: LogFilter = { addresses: null, topics: [] };

function read(
  from: ReplayedChain,
  filter: LogFilter = EVERYTHING,
  range = { fromBlock: 0, toBlock: from.head },
): Log[] {
  return JSON.parse(`[${Buffer.concat(from.logs(range, filter)).toString()}]`) as Log[];
}

describe('replayChain', () => {
  test('default', () => {
    const logs = read(chain);
    expect(logs).toHaveLength(10_003);
    expect(chain.lastEventBlock).toBe(1251);
    const places = new Set(logs.map((log) => `${log.blockNumber} ${log.logIndex}`));
    expect(places.size).toBe(10_003);
  });

  test('behavior: ranges add up to the complete chain', () => {
    const whole = read(chain);
    const middle = 517;
    const parts = [
      ...read(chain, EVERYTHING, { fromBlock: 0, toBlock: middle }),
      ...read(chain, EVERYTHING, { fromBlock: middle + 1, toBlock: chain.head }),
    ];
    expect(parts).toEqual(whole);
    expect(read(chain, EVERYTHING, { fromBlock: 1252, toBlock: chain.head })).toEqual([]);
  });

  test('behavior: the same seed gives the same chain, another seed a different one', () => {
    expect(read(replayChain(options))).toEqual(read(chain));
    expect(read(replayChain({ ...options, seed: 8 }))).not.toEqual(read(chain));
  });

  test('behavior: filters select what a filter over all logs selects', () => {
    const all = read(chain);
    const prices = read(chain, { addresses: [ORACLE], topics: [] });
    expect(prices).toEqual(all.filter((log) => log.address === ORACLE));
    const deposits = read(chain, { addresses: [VAULT], topics: [[TOPICS[1]!]] });
    expect(deposits).toEqual(all.filter((log) => log.topics[0] === TOPICS[1]));
    const wallet = deposits[0]!.topics[2]!;
    const own = read(chain, { addresses: null, topics: [null, null, [wallet]] });
    expect(own).toEqual(all.filter((log) => log.topics[2] === wallet));
  });

  test('behavior: Transfers alone give the supply and never a balance below zero', () => {
    const zero = `0x${'0'.repeat(64)}`;
    const balances = new Map<string, bigint>();
    for (const { topics, data } of read(chain, { addresses: [VAULT], topics: [[TOPICS[0]!]] })) {
      const [, from, to] = topics as [string, string, string];
      balances.set(from, (balances.get(from) ?? 0n) - BigInt(data));
      balances.set(to, (balances.get(to) ?? 0n) + BigInt(data));
      if (from !== zero) expect(balances.get(from)).toBeGreaterThanOrEqual(0n);
    }
    expect(-balances.get(zero)!).toBe(chain.state.supply);
    expect(balances.get(`0x${addressWord(VAULT)}`)).toBe(chain.state.escrowed);
  });

  test('behavior: blocks have the transactions of their logs', () => {
    for (const log of read(chain, EVERYTHING, { fromBlock: 1, toBlock: 20 })) {
      const block = JSON.parse(chain.block(Number(log.blockNumber), true)!) as {
        hash: string;
        timestamp: string;
        transactions: { hash: string }[];
      };
      expect(block.hash).toBe(log.blockHash);
      expect(block.timestamp).toBe(log.blockTimestamp);
      expect(block.transactions[Number(log.transactionIndex)]!.hash).toBe(log.transactionHash);
      expect(chain.findBlockByHash(log.blockHash)).toBe(Number(log.blockNumber));
      const { block: number, index } = chain.findTransaction(log.transactionHash)!;
      const receipt = JSON.parse(chain.receipts(number)[index]!) as { logs: Log[] };
      expect(receipt.logs).toContainEqual(log);
    }
  });

  test('behavior: events in every third block only, and empty blocks as it grows', () => {
    const sparse = replayChain({ ...options, events: 100, every: 3 });
    const logs = read(sparse);
    expect(logs).toHaveLength(100);
    expect([...new Set(logs.map((log) => Number(log.blockNumber)))]).toEqual(
      Array.from({ length: 13 }, (_, i) => 3 * (i + 1)),
    );
    expect(sparse.lastEventBlock).toBe(39);
    const parts = [
      ...read(sparse, EVERYTHING, { fromBlock: 0, toBlock: 10 }),
      ...read(sparse, EVERYTHING, { fromBlock: 11, toBlock: 12 }),
      ...read(sparse, EVERYTHING, { fromBlock: 13, toBlock: sparse.head }),
    ];
    expect(parts).toEqual(logs);
    const { block, index } = sparse.findTransaction(logs[9]!.transactionHash)!;
    expect(JSON.parse(sparse.receipts(block)[index]!).logs).toContainEqual(logs[9]);
    expect(JSON.parse(sparse.block(4, false)!).transactions).toEqual([]);

    const { head, finalized } = sparse;
    expect(sparse.block(head + 1, false)).toBeUndefined();
    const before = sparse.block(head, false);
    sparse.grow();
    expect(sparse.head).toBe(head + 1);
    expect(sparse.finalized).toBe(finalized + 1);
    expect(sparse.block(head, false)).toBe(before);
    expect(JSON.parse(sparse.block(head + 1, false)!).parentHash).toBe(JSON.parse(before!).hash);
  });

  test('behavior: logs without times on request', () => {
    const [log] = read(replayChain({ ...options, logTimes: false }));
    expect(log).not.toHaveProperty('blockTimestamp');
  });
});
