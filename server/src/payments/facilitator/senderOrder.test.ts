import { parseTransaction } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerBody, RpcFailure } from '../../../../devnet/src/jsonRpc.ts';
import { type RpcServer, serveRpc } from '../../../../devnet/src/rpcServer.ts';
import { createTokenChain, PRICE, type TokenChain } from '../../../test/tokenChain.ts';
import type { Hex } from '../../domain/hex.ts';
import { createNodes, type Nodes } from '../chain/nodes.ts';
import { createEmbeddedFacilitator, type EmbeddedFacilitator } from './embedded.ts';

const SEND = 'eth_sendRawTransaction';

describe('sender, when broadcasts overtake each other', () => {
  let world: TokenChain;
  let server: RpcServer;
  let nodes: Nodes;
  let one: EmbeddedFacilitator;
  /** The nonces of each request with transactions, in order of arrival. */
  let arrived: number[][];
  /** The first request with transactions waits until this many others have a response. */
  let others: number;
  /** Replaces the chain's response to a transaction. */
  let refuse: (request: number, nonce: number) => Promise<string | null>;
  let methods: string[];

  beforeEach(async () => {
    world = await createTokenChain();
    arrived = [];
    others = 0;
    refuse = async () => null;
    methods = [];
    let answered = 0;
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await serveRpc({
      host: '127.0.0.1',
      port: 0,
      async handle(body) {
        const list = [JSON.parse(body)].flat() as { method: string; params: Hex[] }[];
        methods.push(...list.map(({ method }) => method));
        const sends = list.filter(({ method }) => method === SEND);
        if (sends.length === 0) return world.chain.handle(body);
        const request = arrived.push(sends.map(({ params }) => nonceOf(params[0]!)));
        if (request === 1 && others > 0) await released;
        const answer = await answerBody(body, async (method, params, text) => {
          const refusal = method === SEND ? await refuse(request, nonceOf(params[0] as Hex)) : null;
          if (refusal !== null) throw new RpcFailure(-32000, refusal);
          const whole = await world.chain.handle(text);
          const { id: _, jsonrpc: __, ...rest } = JSON.parse(whole);
          return JSON.stringify(rest);
        });
        if (request > 1 && ++answered === others) release();
        return answer;
      },
    });
    nodes = createNodes({ chainId: 8453, rpcUrls: [server.url], timeoutMs: 20_000 });
    one = createEmbeddedFacilitator({
      nodes,
      terms: world.terms,
      privateKeys: world.keys.slice(0, 1),
      multicall: world.multicall,
      maxFeePerGas: 10n ** 12n,
      // Too long to affect these tests.
      bumpAfterMs: 60_000,
      reorgCheckMs: 60_000,
    });
  });
  afterEach(async () => {
    await one.close();
    nodes.close();
    await server.close();
    await world.close();
  });

  const count = async (block: 'latest' | 'pending') =>
    Number(await world.chain.rpc('eth_getTransactionCount', [one.addresses[0], block]));

  async function settle(payments: number): Promise<string[]> {
    const settlements = Array.from({ length: payments }, () => one.settle(world.pay()));
    return (await Promise.all(settlements)).map(({ outcome }) => outcome);
  }

  test('default: a chain that mines on arrival gets one request', async () => {
    expect(await settle(1)).toEqual(['settled']);
    methods = [];
    expect(await settle(3)).toEqual(Array(3).fill('settled'));
    expect(methods.filter((method) => method === SEND)).toHaveLength(3);
    expect(methods.filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(3);
    expect(arrived).toEqual([[0], [1, 2, 3]]);
  });

  test('behavior: the RPC endpoint keeps transactions that arrive early', async () => {
    others = 2;
    const before = await world.balance(world.terms.payTo);
    expect(await settle(12)).toEqual(Array(12).fill('settled'));
    expect(await world.balance(world.terms.payTo)).toBe(before + 12n * PRICE);
    // Each nonce was sent once, in three concurrent requests.
    expect(arrived).toHaveLength(3);
    expect(arrived.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i));
    expect(await count('latest')).toBe(12);
  });

  test('behavior: the RPC endpoint rejects transactions that arrive early, and gets them in order', async () => {
    others = 2;
    refuse = async (_, nonce) => {
      const expected = await count('pending');
      return nonce > expected ? `nonce too high: tx: ${nonce} state: ${expected}` : null;
    };
    const before = await world.balance(world.terms.payTo);
    expect(await settle(12)).toEqual(Array(12).fill('settled'));
    expect(await world.balance(world.terms.payTo)).toBe(before + 12n * PRICE);
    expect(arrived.at(-1)).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
    // From now on, this RPC endpoint gets one request at a time.
    arrived.length = 0;
    others = 0;
    expect(await settle(20)).toEqual(Array(20).fill('settled'));
    expect(arrived.map((nonces) => nonces.length)).toEqual([16, 4]);
    expect(await count('latest')).toBe(32);
  });

  test('behavior: a rejected broadcast leaves no gap before those in flight', async () => {
    others = 2;
    refuse = async (request) => (request === 1 ? 'txpool is full' : null);
    const before = await world.balance(world.terms.payTo);
    const outcomes = await settle(12);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(8);
    expect(await world.balance(world.terms.payTo)).toBe(before + 8n * PRICE);
    expect(await count('latest')).toBe(12);
    expect(await settle(1)).toEqual(['settled']);
  });
});

function nonceOf(raw: Hex): number {
  return parseTransaction(raw as `0x02${string}`).nonce ?? 0;
}
