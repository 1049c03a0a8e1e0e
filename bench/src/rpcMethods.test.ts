import { decodeFunctionResult, encodeFunctionData, type Hex, multicall3Abi } from 'viem';
import { describe, expect, test } from 'vitest';
import { MULTICALL, ORACLE, selector, VAULT } from './contracts.ts';
import { replayChain } from './replayedChain.ts';
import { createRpcMethods } from './rpcMethods.ts';
import { createStaticReads } from './staticReads.ts';
import { word } from './world.ts';

const headTime = 1_700_000_000;
const chain = replayChain({ events: 4000, seed: 3, headTime, logTimes: true });
const methods = createRpcMethods(chain, createStaticReads(chain, headTime));

function ask(method: string, ...params: unknown[]): { result?: unknown; error?: { code: number } } {
  const pieces = methods.answer({ id: 1, method, params });
  return JSON.parse(pieces.map((piece) => piece.toString()).join(''));
}

describe('rpcMethods', () => {
  test('default', () => {
    expect(ask('eth_chainId').result).toBe('0x2105');
    expect(ask('eth_blockNumber').result).toBe(`0x${chain.head.toString(16)}`);
    expect(ask('eth_getBlockByNumber', 'finalized', false).result).toMatchObject({
      number: `0x${chain.finalized.toString(16)}`,
    });
    expect(ask('eth_getBlockByNumber', '0xffffff', false).result).toBeNull();
  });

  test('behavior: one address, several, and a block by its hash', () => {
    const range = { fromBlock: '0x0', toBlock: 'latest' };
    const both = ask('eth_getLogs', { ...range, address: [VAULT, ORACLE] }).result as unknown[];
    const one = ask('eth_getLogs', { ...range, address: VAULT.toUpperCase().replace('X', 'x') });
    expect(both).toHaveLength(4000);
    expect((one.result as unknown[]).length).toBe(4000 - chain.counts.SharePriceUpdated);
    const { hash } = ask('eth_getBlockByNumber', '0x5', false).result as { hash: string };
    const own = ask('eth_getLogs', { blockHash: hash }).result as { blockNumber: string }[];
    expect(own).toHaveLength(8);
    expect(own[0]!.blockNumber).toBe('0x5');
  });

  test('behavior: a multicall returns the same as the single calls', () => {
    const supply = selector('totalSupply()');
    const unknown = selector('nothingLikeIt()');
    const data = encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [
        [supply, unknown].map((callData) => ({ target: VAULT, allowFailure: true, callData })),
      ],
    });
    const results = decodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      data: ask('eth_call', { to: MULTICALL, data }, 'latest').result as Hex,
    });
    expect(ask('eth_call', { to: VAULT, data: supply }, 'latest').result).toBe(
      `0x${word(chain.state.supply)}`,
    );
    expect(results).toEqual([
      { success: true, returnData: `0x${word(chain.state.supply)}` },
      { success: false, returnData: '0x' },
    ]);
  });

  test('error: old state, a revert, and an unknown method are rejected', () => {
    const call = { to: VAULT, data: selector('totalSupply()') };
    expect(ask('eth_call', call, '0x1').error).toMatchObject({ code: -32000 });
    expect(ask('eth_call', { to: VAULT, data: '0x12345678' }, 'latest').error?.code).toBe(3);
    expect(ask('eth_mine').error?.code).toBe(-32601);
  });
});
