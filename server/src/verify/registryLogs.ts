import { decodeEventLog, parseAbi, toEventSelector } from 'viem';
import type { RawLog } from '../chain/chainClient.ts';
import type { Hex } from '../domain/hex.ts';
import type { Declaration } from './pools.ts';

const ABI = parseAbi([
  'event PoolDeclared(address indexed vault, bytes32 indexed id, string offchainId, uint256 chainId, address venue, uint8 venueKind, bool idleOnly, uint8 status, uint8 riskScore, uint64 epoch)',
]);

export const POOL_DECLARED = toEventSelector(ABI[0]);

/** Undefined for a log that only shares the first topic. */
export function declarationOf(log: RawLog): Declaration | undefined {
  const { topics, data, address, blockNumber, logIndex } = log;
  try {
    const { args } = decodeEventLog({ abi: ABI, data, topics: topics as [Hex, ...Hex[]] });
    return { address, blockNumber, logIndex, args };
  } catch {
    return undefined;
  }
}
