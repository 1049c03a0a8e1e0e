import { type DecodeEventLogReturnType, decodeEventLog, parseAbi } from 'viem';
import type { Address, Hex } from '../src/domain/hex.ts';

const EVENTS = parseAbi([
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'event RedeemRequest(address indexed receiver, address indexed owner, uint256 assets, uint256 shares, bool indexed instant)',
  'event RedeemRequest(address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares)',
  'event RequestCancelled(address indexed receiver, uint256 shares, uint256 assets)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event SharePriceUpdated(address indexed vault, uint256 price, uint64 timestamp)',
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)',
  'event PoolDeclared(address indexed vault, bytes32 indexed id, string offchainId, uint256 chainId, address venue, uint8 venueKind, bool idleOnly, uint8 status, uint8 riskScore, uint64 epoch)',
]);

/** Position and time of a log. */
export interface LogPlace {
  readonly chainId: number;
  /** Unix seconds. */
  readonly time: number;
  readonly blockNumber: number;
  readonly logIndex: number;
}

export type ChainEvent = DecodeEventLogReturnType<typeof EVENTS> &
  LogPlace & {
    readonly address: Address;
    readonly transactionHash: Hex;
  };

interface UndecodedLog extends LogPlace {
  readonly address: Address;
  readonly transactionHash: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Returns undefined for a log of another kind, even if it has the same first topic. */
export function decodeEvent(log: UndecodedLog): ChainEvent | undefined {
  const { topics, data, address, transactionHash, chainId, time, blockNumber, logIndex } = log;
  const place = { chainId, time, blockNumber, logIndex };
  try {
    const decoded = decodeEventLog({ abi: EVENTS, data, topics: topics as [Hex, ...Hex[]] });
    return { ...decoded, ...place, address, transactionHash };
  } catch {
    return undefined;
  }
}

/** Compares by time across chains, then by chain, block, and log. */
export function inOrder(a: LogPlace, b: LogPlace): number {
  return (
    a.time - b.time ||
    a.chainId - b.chainId ||
    a.blockNumber - b.blockNumber ||
    a.logIndex - b.logIndex
  );
}

export function sameAddress(a: string, b: string | undefined): boolean {
  return a.toLowerCase() === b?.toLowerCase();
}
