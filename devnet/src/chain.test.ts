import {
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  parseEther,
  parseGwei,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChain, type DevChain, ReorgTooDeep } from './chain.ts';
import type { RpcServer } from './rpcServer.ts';
import { deriveWallet } from './wallet.ts';

const GENESIS = 1_700_000_000;
const alice = deriveWallet('chain test', 'alice');
const bob = deriveWallet('chain test', 'bob');

function open(clock = () => GENESIS + 1_000): Promise<DevChain> {
  return createChain({
    chainId: 8453,
    genesisTime: GENESIS,
    actors: [alice.address],
    balances: [alice, bob].map(({ address }) => ({ address, wei: parseEther('10') })),
    code: [],
    clock,
  });
}

const pay = (chain: DevChain, value: bigint) =>
  chain.send({ from: alice.address, to: bob.address, value });

async function hashes(chain: DevChain): Promise<string[]> {
  const found: string[] = [];
  for (let number = 0; number <= chain.tip.number; number++) {
    const id = `0x${number.toString(16)}`;
    found.push((await chain.rpc<{ hash: string }>('eth_getBlockByNumber', [id, false])).hash);
  }
  return found;
}

describe('createChain', () => {
  test('default', async () => {
    const chain = await open();
    await pay(chain, 5n);
    await chain.mine(GENESIS + 10);
    expect(await chain.head()).toMatchObject({ number: 1, time: GENESIS + 10 });
    const balance = await chain.rpc<string>('eth_getBalance', [bob.address, 'latest']);
    expect(BigInt(balance)).toBe(parseEther('10') + 5n);
  });

  test('behavior: queued transactions are in the next block, in order', async () => {
    const chain = await open();
    for (const value of [1n, 2n, 3n]) {
      chain.put({ from: alice.address, to: bob.address, value });
    }
    expect(await chain.rpc('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x0');
    await chain.mine(GENESIS + 10);
    await chain.mine(GENESIS + 20);
    type Block = { transactions: { value: string }[] };
    const [first, second] = await Promise.all(
      ['0x1', '0x2'].map((id) => chain.rpc<Block>('eth_getBlockByNumber', [id, true])),
    );
    expect(first!.transactions.map(({ value }) => value)).toEqual(['0x1', '0x2', '0x3']);
    expect(second!.transactions).toEqual([]);
  });

  test('error: an invalid queued transaction fails only its block', async () => {
    const chain = await open();
    chain.put({ from: bob.address, to: alice.address, value: 1n });
    await expect(chain.mine(GENESIS + 10)).rejects.toThrow('evm_mine: ');
    await chain.mine(GENESIS + 10);
    expect(await chain.head()).toMatchObject({ number: 1 });
  });

  test('behavior: a block is never earlier than its parent', async () => {
    const chain = await open();
    await chain.mine(GENESIS + 10);
    await chain.mine(GENESIS + 5);
    expect((await chain.head()).time).toBe(GENESIS + 10);
  });

  test('behavior: historical state stays readable', async () => {
    const chain = await open();
    await pay(chain, 5n);
    await chain.mine(GENESIS + 10);
    const before = await chain.rpc<string>('eth_getBalance', [bob.address, '0x0']);
    expect(BigInt(before)).toBe(parseEther('10'));
  });
});

describe('reorg', () => {
  async function grown(blocks: number): Promise<DevChain> {
    const chain = await open();
    for (let index = 1; index <= blocks; index++) {
      await pay(chain, BigInt(index));
      await chain.mine(GENESIS + index * 10);
    }
    return chain;
  }

  test.each([
    { depth: 3, length: 3 },
    { depth: 3, length: 5 },
    { depth: 4, length: 2 },
    { depth: 2, length: 0 },
  ])('default: $depth blocks are replaced by $length', async ({ depth, length }) => {
    const chain = await grown(8);
    const before = await hashes(chain);
    const blocks = Array.from({ length }, (_, index) => ({
      timestamp: GENESIS + (8 - depth + index + 1) * 10,
      fill: async () => {
        await pay(chain, 100n);
      },
    }));
    await chain.reorg({ depth, blocks });
    const after = await hashes(chain);
    expect(after.length).toBe(1 + 8 - depth + length);
    expect(after.slice(0, 9 - depth)).toEqual(before.slice(0, 9 - depth));
    for (const hash of after.slice(9 - depth)) expect(before).not.toContain(hash);
  });

  test('behavior: even the same transactions at the same times give other blocks', async () => {
    const chain = await grown(4);
    const before = await hashes(chain);
    await chain.reorg({
      depth: 1,
      blocks: [
        {
          timestamp: GENESIS + 40,
          fill: async () => {
            await pay(chain, 4n);
          },
        },
      ],
    });
    const after = await hashes(chain);
    expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
    expect(after[4]).not.toBe(before[4]);
  });

  test('behavior: state is rolled back, and can be rolled back again', async () => {
    const chain = await grown(6);
    await chain.reorg({ depth: 5, blocks: [{ timestamp: GENESIS + 20 }] });
    await chain.reorg({ depth: 2, blocks: [] });
    expect(chain.tip).toEqual({ number: 0, time: GENESIS });
    const balance = await chain.rpc<string>('eth_getBalance', [bob.address, 'latest']);
    expect(BigInt(balance)).toBe(parseEther('10'));
  });

  test('error: deeper than the snapshots', async () => {
    const chain = await grown(3);
    const failed = chain.reorg({ depth: 4, blocks: [] });
    await expect(failed).rejects.toThrow(ReorgTooDeep);
    expect(chain.tip.number).toBe(3);
  });
});

describe('serve', () => {
  let chain: DevChain;
  let server: RpcServer;
  let now = GENESIS + 1_000;
  beforeAll(async () => {
    chain = await open(() => now);
    server = await chain.serve({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  async function post(body: string): Promise<unknown> {
    const answer = await fetch(server.url, { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    return answer.json();
  }

  test('default', async () => {
    const answer = await post('{"jsonrpc":"2.0","id":"a","method":"eth_chainId"}');
    expect(answer).toEqual({ jsonrpc: '2.0', id: 'a', result: '0x2105' });
  });

  test('behavior: a batch is handled in order, each item with its id', async () => {
    const answer = await post(
      JSON.stringify([
        { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] },
        { jsonrpc: '2.0', id: 8, method: 'no_such', params: [] },
        'nonsense',
        { jsonrpc: '2.0', id: 9, method: 'net_version', params: [] },
      ]),
    );
    expect(answer).toMatchObject([
      { id: 7, result: '0x2105' },
      { id: 8, error: { code: -32004 } },
      { id: null, error: { code: -32600 } },
      { id: 9, result: '8453' },
    ]);
  });

  test.each([
    ['', -32700],
    ['{', -32700],
    ['\u0000\uffff', -32700],
    ['null', -32600],
    ['[]', -32600],
    ['42', -32600],
    ['{"id":1}', -32600],
    ['{"id":1,"method":"eth_chainId","params":{}}', -32602],
    ['{"id":1,"method":"eth_getBalance","params":[{}]}', -32602],
    ['{"id":1,"method":"evm_revert","params":["0x1"]}', -32601],
  ])('error: %j', async (body, code) => {
    expect(await post(body)).toMatchObject({ error: { code } });
    expect(await post('{"id":1,"method":"eth_chainId"}')).toMatchObject({ result: '0x2105' });
  });

  test('behavior: preflight and other methods', async () => {
    expect((await fetch(server.url, { method: 'OPTIONS' })).status).toBe(204);
    expect((await fetch(server.url)).status).toBe(405);
  });

  test('behavior: a signed transaction is mined at once, at the current time', async () => {
    const account = privateKeyToAccount(bob.privateKey);
    const definition = defineChain({
      id: 8453,
      name: 'test',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [server.url] } },
    });
    const transport = http(server.url);
    const wallet = createWalletClient({ account, chain: definition, transport });
    const reader = createPublicClient({ chain: definition, transport });
    now += 7;
    const hash = await wallet.sendTransaction({ to: alice.address, value: 3n });
    const receipt = await reader.getTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    expect(receipt.from).toBe(bob.address.toLowerCase());
    const block = await reader.getBlock();
    expect(block.number).toBe(receipt.blockNumber);
    expect(block.timestamp).toBe(BigInt(now));

    // A second block within the same second: the chain must not run ahead of the clock.
    await wallet.sendTransaction({ to: alice.address, value: 1n });
    expect((await reader.getBlock()).timestamp).toBe(BigInt(now));
  });

  test('behavior: fees are quoted and the base fee stays', async () => {
    const reader = createPublicClient({ transport: http(server.url) });
    const [price, tip, history, gas] = await Promise.all([
      reader.getGasPrice(),
      reader.estimateMaxPriorityFeePerGas(),
      reader.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] }),
      reader.estimateGas({ account: bob.address, to: alice.address, value: 1n }),
    ]);
    expect(price).toBeGreaterThan(0n);
    expect(tip).toBeLessThanOrEqual(parseGwei('2'));
    expect(history.baseFeePerGas.every((fee) => fee > 0n && fee < 100n)).toBe(true);
    expect(gas).toBeGreaterThanOrEqual(21_000n);
    expect(gas).toBeLessThan(25_000n);
  });
});
