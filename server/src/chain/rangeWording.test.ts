import { describe, expect, test } from 'vitest';
import { readTooWide } from './rangeWording.ts';

const from = 1_000_000;
const range = { fromBlock: from, toBlock: from + 199_999 };
const hex = (block: number) => `0x${block.toString(16)}`;

/** Error texts from public reports; `blocks` is the limit that the parser should find, null for "narrower". */
const WORDINGS: readonly [string, number, string, number | null][] = [
  [
    'Alchemy, by size',
    -32602,
    `Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [${hex(from)}, ${hex(from + 4_999)}]`,
    5_000,
  ],
  ['Alchemy, old', -32602, 'Log response size exceeded. Please reduce query block range.', null],
  [
    'Alchemy, free plan',
    -32600,
    `Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [${hex(from)}, ${hex(from + 9)}]. Upgrade to PAYG for expanded block range.`,
    10,
  ],
  ['Alchemy, slow', -32000, 'Query timeout exceeded. Consider reducing your block range.', null],
  ['Aurora', -32600, 'you can make requests with up to a 2000 block range', 2_000],
  ['Infura, by results', -32005, 'query returned more than 10000 results', null],
  [
    'Infura, with a range',
    -32005,
    `query returned more than 10000 results. Try with this block range [${hex(from)}, ${hex(from + 99)}].`,
    100,
  ],
  ['Infura, by blocks', -32602, 'range 200000 exceeds limit of 10000', 10_000],
  ['QuickNode', -32614, 'eth_getLogs is limited to a 10,000 range', 10_000],
  [
    'QuickNode, both methods',
    -32614,
    'eth_getLogs and eth_newFilter are limited to a 10,000 blocks range',
    10_000,
  ],
  ['QuickNode, without a text', -32614, 'limit', null],
  ['Ankr', -32600, 'block range is too wide', null],
  ['Ankr, newer', -32602, 'maximum [from, to] blocks distance: 10000', 10_000],
  [
    'Cloudflare',
    -32047,
    "Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
    800,
  ],
  ['dRPC', 35, 'ranges over 10000 blocks are not supported on freetier', 10_000],
  ['BlastAPI', -32600, 'eth_getLogs is limited to 0 - 10000 blocks range', 10_000],
  [
    'BlastAPI, paid',
    -32600,
    'the requested block range exceeds the range allowed for your plan (200000 > 100000)',
    100_000,
  ],
  ['Chainstack', -32000, 'Block range limit exceeded. See more details in the documentation', null],
  [
    'reth, by results',
    -32602,
    `query exceeds max results 20000, retry with the range ${from}-${from + 1_233}`,
    1_234,
  ],
  [
    'reth, proposing the range it refused',
    -32602,
    `query exceeds max results 20000, retry with the range ${from}-${range.toBlock}`,
    null,
  ],
  ['reth, by blocks', -32602, 'query exceeds max block range 100000', 100_000],
  [
    'Erigon, by blocks',
    -32000,
    'query block range exceeds server limit, narrow your filter: 1000',
    1_000,
  ],
  ['Erigon, by results', -32000, 'query returns too many logs, narrow your filter: 20000', null],
  ['Geth', -32000, 'query timeout exceeded', null],
  ['BNB', -32000, 'exceed maximum block range: 5000', 5_000],
  ['proxyd', -32600, 'block range greater than 10000 max', 10_000],
  ['proxyd, by size', -32020, 'backend response too large', null],
  [
    'Avalanche',
    -32000,
    'requested too many blocks from 1 to 200000, maximum is set to 2048',
    2_048,
  ],
  ['Harmony', -32000, 'query must be smaller than size 1024', 1_024],
  ['Moonbeam', -32603, 'block range is too wide (maximum 1024)', 1_024],
  ['Tenderly', -32602, 'invalid params range 200000 is bigger than range limit 2000', 2_000],
  [
    'Morph',
    -32000,
    'block range is larger than max block range, block range = 200000, max block range = 5000',
    5_000,
  ],
  ['Scroll', -32000, 'block range is bigger than maxBlockRange', null],
  ['LlamaNodes', -32000, 'eth_getLogs range is too large, max is 10k blocks', 10_000],
  ['Besu', -32005, 'Requested range exceeds maximum RPC range limit', null],
  ['Kava', -32600, 'block range too high', null],
];

describe('readTooWide', () => {
  test.each(WORDINGS)('behavior: %s', (_, code, text, blocks) => {
    const suggestedTo = blocks === null ? null : from + blocks - 1;
    expect(readTooWide({ code, text }, range)).toMatchObject({ suggestedTo });
  });

  test('behavior: distinguishes a limit in blocks from a range that fits the data', () => {
    const limit = readTooWide(
      { code: -32614, text: 'eth_getLogs is limited to a 10,000 range' },
      range,
    );
    expect(limit).toMatchObject({ maxBlocks: 10_000 });
    const fitting = `query exceeds max results 20000, retry with the range ${from}-${from + 9}`;
    expect(readTooWide({ code: -32602, text: fitting }, range)).toMatchObject({ maxBlocks: null });
  });

  test('behavior: a limit above the requested range is not a suggestion', () => {
    const narrow = { fromBlock: 10, toBlock: 19 };
    const text = 'Log response size exceeded: up to a 2K block range';
    expect(readTooWide({ code: -32602, text }, narrow)).toEqual({
      suggestedTo: null,
      maxBlocks: null,
    });
  });

  test.each([
    [-32601, 'the method eth_getLogs does not exist/is not available'],
    [-32602, 'invalid argument 0: json: cannot unmarshal hex string'],
    [-32603, 'Internal error'],
    [-32000, 'missing trie node'],
  ])('behavior: not about the range: %s %s', (code, text) => {
    expect(readTooWide({ code, text }, range)).toBeNull();
  });
});
