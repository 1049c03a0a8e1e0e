/** A provider's rejection of an eth_getLogs over too many blocks, as seen in public reports. */
export interface RangeRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

export type Provider =
  | 'alchemy'
  | 'infura'
  | 'quicknode'
  | 'ankr'
  | 'cloudflare'
  | 'drpc'
  | 'chainstack'
  | 'reth'
  | 'erigon';

export function refuseRange(
  provider: Provider,
  range: { fromBlock: number; toBlock: number },
  maxBlocks: number,
): RangeRefusal {
  const fitting = range.fromBlock + maxBlocks - 1;
  const hexRange = `[0x${range.fromBlock.toString(16)}, 0x${fitting.toString(16)}]`;
  const grouped = maxBlocks.toLocaleString('en-US');
  switch (provider) {
    case 'alchemy':
      return {
        status: 400,
        code: -32600,
        message: `You can make eth_getLogs requests with up to a ${maxBlocks} block range. Based on your parameters, this block range should work: ${hexRange}`,
      };
    case 'infura':
      return {
        status: 200,
        code: -32005,
        message: `query returned more than 10000 results. Try with this block range ${hexRange}.`,
      };
    case 'quicknode':
      return { status: 413, code: -32614, message: `eth_getLogs is limited to a ${grouped} range` };
    case 'ankr':
      return { status: 200, code: -32600, message: 'block range is too wide' };
    case 'cloudflare':
      return {
        status: 200,
        code: -32047,
        message: `Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: ${maxBlocks}`,
      };
    case 'drpc':
      return {
        status: 400,
        code: 35,
        message: `ranges over ${maxBlocks} blocks are not supported on freetier`,
      };
    case 'chainstack':
      return { status: 200, code: -32000, message: 'Block range limit exceeded.' };
    case 'reth':
      return {
        status: 200,
        code: -32602,
        message: `query exceeds max results 20000, retry with the range ${range.fromBlock}-${fitting}`,
      };
    case 'erigon':
      return {
        status: 200,
        code: -32000,
        message: `query block range exceeds server limit, narrow your filter: ${maxBlocks}`,
      };
  }
}
