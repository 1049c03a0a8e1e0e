import type { AssetFacts } from '../../../domain/risk/graph.ts';
import { assetId, chainNodeId } from '../../../domain/risk/nodeId.ts';
import type { RiskRecord } from '../../../domain/risk/record.ts';
import { edge } from './edge.ts';

/** The address that identifies a chain's native coin as a node. */
export const NATIVE_ADDRESS = '0x0000000000000000000000000000000000000000';
const NATIVE_SPELLINGS = new Set([
  NATIVE_ADDRESS,
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  'native',
  'eth',
]);

interface Native {
  readonly symbol: string;
  readonly name: string;
  /** The contract that wraps the native coin one to one. */
  readonly wrapped: string;
}

const ether = (wrapped: string): Native => ({ symbol: 'ETH', name: 'Ether', wrapped });
/** Rollups of one family have it at the same address. */
const OP_STACK_WETH = '0x4200000000000000000000000000000000000006';

export const NATIVES: Readonly<Record<string, Native>> = {
  ethereum: ether('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'),
  base: ether(OP_STACK_WETH),
  optimism: ether(OP_STACK_WETH),
  bob: ether(OP_STACK_WETH),
  unichain: ether(OP_STACK_WETH),
  ink: ether(OP_STACK_WETH),
  soneium: ether(OP_STACK_WETH),
  'world-chain': ether(OP_STACK_WETH),
  mode: ether(OP_STACK_WETH),
  arbitrum: ether('0x82af49447d8a07e3bd95bd0d56f35241523fbab1'),
  linea: ether('0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f'),
  scroll: ether('0x5300000000000000000000000000000000000004'),
  'zksync-era': ether('0x5aea5775959fbc2557cc8789bc1bf90a239d9a91'),
  blast: ether('0x4300000000000000000000000000000000000004'),
  opbnb: { symbol: 'BNB', name: 'BNB', wrapped: OP_STACK_WETH },
  bsc: { symbol: 'BNB', name: 'BNB', wrapped: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c' },
  polygon: { symbol: 'POL', name: 'POL', wrapped: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270' },
  avalanche: {
    symbol: 'AVAX',
    name: 'Avax',
    wrapped: '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7',
  },
  fantom: { symbol: 'FTM', name: 'Fantom', wrapped: '0x21be370d5312f44cb42ce377bc9b8a0cef1a4c83' },
  gnosis: { symbol: 'xDAI', name: 'xDai', wrapped: '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d' },
  sonic: { symbol: 'S', name: 'Sonic', wrapped: '0x039e2fb66102314ce7b64ce5ce3e5183bc94ad38' },
};

/** A token's address as used in ids; undefined if the text is not an address. */
export function tokenAddress(raw: unknown): string | undefined {
  if (typeof raw !== 'string') return undefined;
  const text = raw.trim();
  if (NATIVE_SPELLINGS.has(text.toLowerCase())) return NATIVE_ADDRESS;
  if (/^0x[0-9a-f]+$/i.test(text)) return text.toLowerCase();
  // Addresses of non-EVM chains are case-sensitive; a name with spaces is never one.
  return /^[\w.:/+-]{3,160}$/.test(text) ? text : undefined;
}

/** A token of which a list has only the chain, the address, and sometimes the symbol. */
export function tokenByAddress(chain: string, address: string, symbol?: string): RiskRecord[] {
  const native = NATIVES[chain];
  if (address === NATIVE_ADDRESS) return [nativeCoin(chain, symbol)];
  if (native?.wrapped !== address) return [tokenRecord(chain, address, named(address, symbol))];
  const coin = nativeCoin(chain);
  const facts = {
    name: `Wrapped ${native.name}`,
    symbol: `W${native.symbol}`,
    kind: 'wrapped',
  } as const;
  const wrapped = tokenRecord(chain, address, facts);
  const backing = edge('IS_COLLATERALIZED_BY', wrapped.node.id, coin.node.id);
  return [{ ...wrapped, edges: [...wrapped.edges, backing] }, coin];
}

function nativeCoin(chain: string, symbol?: string): RiskRecord {
  const native = NATIVES[chain];
  const known = native ?? named(NATIVE_ADDRESS, symbol ?? `${chain} coin`);
  const { name } = known;
  const facts = { name, ...(known.symbol && { symbol: known.symbol }), kind: 'native' } as const;
  return tokenRecord(chain, NATIVE_ADDRESS, facts);
}

function named(address: string, symbol: string | undefined) {
  if (symbol !== undefined) return { name: symbol, symbol };
  return { name: address.length > 20 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address };
}

function tokenRecord(
  chain: string,
  address: string,
  facts: Pick<AssetFacts, 'name' | 'symbol' | 'kind'>,
): RiskRecord {
  const id = assetId(chain, address);
  return {
    node: { id, label: 'Asset', facts: { ...facts, chain, address } },
    edges: [edge('LIVES_ON', id, chainNodeId(chain))],
  };
}
