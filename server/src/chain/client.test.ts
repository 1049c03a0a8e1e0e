import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFaultyRpc, type FaultyRpc } from '../../test/faultyRpc.ts';
import type { Provider } from '../../test/providerWordings.ts';
import { createTinyChain, type TinyChain } from '../../test/tinyChain.ts';
import type { Address, Hex } from '../domain/hex.ts';
import { createChainClient } from './client.ts';
import { createRpcClient, type RpcClient } from './rpcClient.ts';
import { RangeTooWide, RpcRefused, StateUnavailable } from './rpcError.ts';

const MULTICALL: Address = '0xca11bde05977b3631167028862be2a173976ca11';
/** A call without calldata returns slot 0. A call with calldata stores the word there and logs it as topic and data. */
const COUNTER: Address = '0x2000000000000000000000000000000000000002';
const COUNTER_CODE: Hex = '0x36600c575f545f5260205ff35b5f35805f55805f5260205fa100';
const REVERTING: Address = '0x3000000000000000000000000000000000000003';
const BLOCKS = 150;
const START = 1_700_000_000;

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as Hex;

let chain: TinyChain;
let proxy: FaultyRpc;
let rpc: RpcClient;

beforeAll(async () => {
  chain = await createTinyChain({ chainId: 8453, startTime: START });
  await chain.setCode(MULTICALL, compileMulticall());
  await chain.setCode(COUNTER, COUNTER_CODE);
  await chain.setCode(REVERTING, '0x5f5ffd');
  // Each block has two logs: its number, and a thousand times its number.
  for (let block = 1; block <= BLOCKS; block++) {
    await chain.mine({
      time: START + block * 12,
      calls: [block, block * 1_000].map((value) => ({ to: COUNTER, data: word(value) })),
    });
  }
  proxy = await createFaultyRpc({ target: chain.url });
  rpc = createRpcClient({ url: proxy.url, upstream: 1, timeoutMs: 10_000 });
}, 60_000);

afterEach(() => proxy.mode({ kind: 'none' }));

afterAll(async () => {
  rpc.close();
  await proxy.close();
  await chain.close();
});

const client = () => createChainClient({ rpc, multicall: MULTICALL });
const counterLogs = (fromBlock: number, toBlock: number) =>
  client().logs({ fromBlock, toBlock, filter: { addresses: [COUNTER] } });

describe('header', () => {
  test('default', async () => {
    const head = await client().header('latest');
    expect(head).toMatchObject({ number: BLOCKS, time: START + BLOCKS * 12 });
    const parent = await client().header(BLOCKS - 1);
    expect(head?.parentHash).toBe(parent?.hash);
    expect((await client().header('finalized'))?.number).toBe(BLOCKS);
    expect(await client().chainId()).toBe(8453);
  });

  test('behavior: a block that does not exist', async () => {
    expect(await client().header(BLOCKS + 1)).toBeNull();
    const [first, beyond] = await client().headers([0, BLOCKS + 1]);
    expect(first?.number).toBe(0);
    expect(beyond).toBeNull();
  });

  test('behavior: many, also if batches are rejected', async () => {
    const numbers = Array.from({ length: 140 }, (_, i) => i);
    const batched = await client().headers(numbers);
    expect(batched.map((header) => header?.number)).toEqual(numbers);
    await proxy.mode({ kind: 'noBatch' });
    const other = createRpcClient({ url: proxy.url, upstream: 1, timeoutMs: 10_000 });
    expect(await createChainClient({ rpc: other, multicall: MULTICALL }).headers(numbers)).toEqual(
      batched,
    );
    other.close();
  });

  test.each(['html', 'truncated', 'ids'] as const)('error: garbage: %s', async (shape) => {
    await proxy.mode({ kind: 'garbage', shape });
    await expect(client().header('latest')).rejects.toMatchObject({ reason: 'garbage' });
    await expect(client().headers([1, 2])).rejects.toMatchObject({ reason: 'garbage' });
    await expect(counterLogs(1, 2)).rejects.toMatchObject({ reason: 'garbage' });
  });

  test('error: null where a result is required', async () => {
    await proxy.mode({ kind: 'garbage', shape: 'nulls' });
    await expect(client().chainId()).rejects.toMatchObject({ reason: 'garbage' });
    await expect(counterLogs(1, 2)).rejects.toMatchObject({ reason: 'garbage' });
  });
});

describe('logs', () => {
  test('default: in order, each with its position', async () => {
    const logs = await counterLogs(1, BLOCKS);
    expect(logs).toHaveLength(2 * BLOCKS);
    expect(logs.map((log) => Number(log.data))).toEqual(
      Array.from({ length: BLOCKS }, (_, i) => [i + 1, (i + 1) * 1_000]).flat(),
    );
    expect(logs[3]).toMatchObject({
      address: COUNTER,
      blockNumber: 2,
      logIndex: 1,
      topics: [word(2_000)],
    });
  });

  test('behavior: by topic', async () => {
    const filter = { addresses: [COUNTER], topics: [[word(7), word(9_000)]] };
    const logs = await client().logs({ fromBlock: 0, toBlock: BLOCKS, filter });
    expect(logs.map((log) => log.blockNumber)).toEqual([7, 9]);
  });

  test('behavior: no address returns no log, not every log', async () => {
    const filter = { addresses: [] };
    expect(await client().logs({ fromBlock: 0, toBlock: BLOCKS, filter })).toEqual([]);
  });

  test.each([true, false])(
    'behavior: an RPC endpoint that limits the addresses of a filter (names the limit: %s)',
    async (names) => {
      const others = Array.from(
        { length: 9 },
        (_, i) => `0x${String(i + 1).repeat(40)}` as Address,
      );
      // The address with logs comes last, in a separate part.
      const filter = { addresses: [...others, COUNTER] };
      const one = client();
      await proxy.mode({ kind: 'manyAddresses', maxAddresses: 3, names });
      const before = proxy.requests.length;
      const read = () => one.logs({ fromBlock: 1, toBlock: BLOCKS, filter });
      expect(await read()).toEqual(await counterLogs(1, BLOCKS));
      // `counterLogs` sends one request. If the message contains the limit, one rejection is followed by four parts of
      // three addresses.
      if (names) expect(proxy.requests.length - before).toBe(1 + 4 + 1);
      // The limit is learned, so there is no second rejection.
      const again = proxy.requests.length;
      expect(await read()).toHaveLength(2 * BLOCKS);
      const sizes = proxy.requests
        .slice(again)
        .map(({ params }) => (params[0] as { address: unknown[] }).address.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10);
    },
  );

  const PROVIDERS: readonly Provider[] = [
    'alchemy',
    'infura',
    'quicknode',
    'ankr',
    'cloudflare',
    'drpc',
    'chainstack',
    'reth',
    'erigon',
  ];
  test.each(PROVIDERS)('error: too wide, in the text of %s', async (provider) => {
    await proxy.mode({ kind: 'wideRange', provider, maxBlocks: 20 });
    const error = await counterLogs(1, 100).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(RangeTooWide);
    const { suggestedTo } = error as RangeTooWide;
    expect(suggestedTo ?? 20).toBe(20);
    expect(await counterLogs(1, 20)).toHaveLength(40);
  });
});

describe('multicall', () => {
  test('default: results of one block, null where a call fails', async () => {
    const calls = [COUNTER, REVERTING, COUNTER, MULTICALL].map((to) => ({ to, data: '0x' as Hex }));
    expect(await client().multicall(calls, 40)).toEqual([word(40_000), null, word(40_000), null]);
    expect(await client().multicall(calls.slice(0, 1), 41)).toEqual([word(41_000)]);
    expect(await client().multicall([], 41)).toEqual([]);
  });

  test('behavior: more calls than fit into one request', async () => {
    const calls = Array.from({ length: 1_201 }, (_, i) => ({
      to: i % 3 === 0 ? REVERTING : COUNTER,
      data: '0x' as Hex,
    }));
    const before = proxy.requests.length;
    const results = await client().multicall(calls, 33);
    expect(results).toEqual(calls.map((call) => (call.to === COUNTER ? word(33_000) : null)));
    expect(proxy.requests.length - before).toBe(3);
  });

  test('behavior: without the contract, one by one', async () => {
    const bare = createChainClient({
      rpc,
      multicall: '0x9999999999999999999999999999999999999999',
    });
    const calls = [COUNTER, REVERTING, COUNTER].map((to) => ({ to, data: '0x' as Hex }));
    expect(await bare.multicall(calls, 12)).toEqual([word(12_000), null, word(12_000)]);
  });

  test('error: pruned state', async () => {
    await proxy.mode({ kind: 'pruned' });
    const calls = [{ to: COUNTER, data: '0x' as Hex }];
    await expect(client().multicall(calls, 20)).rejects.toThrow(StateUnavailable);
    expect(await client().multicall(calls, BLOCKS - 100)).toEqual([word((BLOCKS - 100) * 1_000)]);
  });

  test('error: a block above the head of a lagging RPC endpoint', async () => {
    await proxy.mode({ kind: 'lag', blocks: 10 });
    expect((await client().header('latest'))?.number).toBe(BLOCKS - 10);
    expect(await client().header(BLOCKS - 9)).toBeNull();
    expect(await counterLogs(BLOCKS - 11, BLOCKS)).toHaveLength(4);
    const calls = [{ to: COUNTER, data: '0x' as Hex }];
    await expect(client().multicall(calls, BLOCKS)).rejects.toMatchObject({
      reason: 'unknown-block',
    });
  });
});

describe('call', () => {
  test('default', async () => {
    expect(await client().call({ to: COUNTER, data: '0x' }, 5)).toBe(word(5_000));
  });

  test('error: the contract reverts', async () => {
    const error = await client()
      .call({ to: REVERTING, data: '0x' }, 5)
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(RpcRefused);
    expect(error).toMatchObject({ reverted: true, retry: false });
  });

  test('error: a block that a reorg removed', async () => {
    // The RPC endpoint's own text: its head is lower now than when it was read.
    await expect(client().call({ to: COUNTER, data: '0x' }, BLOCKS + 1)).rejects.toMatchObject({
      name: 'StateUnavailable',
      reason: 'unknown-block',
    });
  });
});

describe('code', () => {
  test('default', async () => {
    expect(await client().code(COUNTER, BLOCKS)).toBe(COUNTER_CODE);
    expect(await client().code('0x9999999999999999999999999999999999999999', BLOCKS)).toBe('0x');
  });

  test('error: pruned state', async () => {
    await proxy.mode({ kind: 'pruned' });
    await expect(client().code(COUNTER, 20)).rejects.toThrow(StateUnavailable);
    expect(await client().code(COUNTER, BLOCKS)).toBe(COUNTER_CODE);
  });
});

describe('storageAt', () => {
  test('default: a word at a block', async () => {
    expect(await client().storageAt(COUNTER, word(0), 5)).toBe(word(5_000));
    expect(await client().storageAt(COUNTER, word(1), 5)).toBe(word(0));
  });

  test('error: garbage', async () => {
    await proxy.mode({ kind: 'garbage', shape: 'nulls' });
    await expect(client().storageAt(COUNTER, word(0), 5)).rejects.toMatchObject({
      reason: 'garbage',
    });
  });
});

function compileMulticall(): Hex {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const file = new URL('../../../devnet/contracts/Multicall3.sol', import.meta.url);
  const input = {
    language: 'Solidity',
    sources: { 'Multicall3.sol': { content: readFileSync(file, 'utf8') } },
    settings: { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  return `0x${output.contracts['Multicall3.sol'].Multicall3.evm.deployedBytecode.object}`;
}
