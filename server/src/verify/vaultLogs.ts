import { toEventSelector } from 'viem';
import type { RawLog } from '../chain/chainClient.ts';
import { type Address, type Hex, lower } from '../domain/hex.ts';

/**
 * What logs may tell here: who may have something waiting, which transfers the share token made, and which events
 * there are at all. What somebody has is asked of the contracts.
 */
export interface VaultLogs {
  readonly transfers: readonly ShareTransfer[];
  readonly requests: readonly NamedRequest[];
  /** Transactions in which somebody deposited, or claimed a deposit. */
  readonly deposits: ReadonlySet<Hex>;
  /** Of the asset, out of the vaults and custody, where custody accounts are named and shares of theirs were burned. */
  readonly payments: readonly ShareTransfer[];
  /** How often the vaults emitted each first topic. */
  readonly topics: ReadonlyMap<Hex, number>;
}

export interface ShareTransfer {
  readonly block: number;
  readonly transaction: Hex;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
}

/** Somebody whom a request names; how much it is about is not taken from it. */
export interface NamedRequest {
  readonly block: number;
  readonly transaction: Hex;
  readonly vault: Address;
  readonly side: 'deposit' | 'redeem';
  readonly controller: Address;
  /** Null for vaults that do not number them. */
  readonly id: bigint | null;
}

export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
export const QUEUED_BY_RECEIVER = toEventSelector(
  'RedeemRequest(address,address,uint256,uint256,bool)',
);
export const REDEEM_REQUEST = toEventSelector(
  'RedeemRequest(address,address,uint256,address,uint256)',
);
export const DEPOSIT_REQUEST = toEventSelector(
  'DepositRequest(address,address,uint256,address,uint256)',
);
const DEPOSITS: ReadonlySet<Hex> = new Set([
  toEventSelector('Deposit(address,address,uint256,uint256)'),
  toEventSelector('DepositSync(address,address,uint256,uint256)'),
]);
/** Of logs without any topic. */
const ANONYMOUS: Hex = '0x';

export function createLogBook(share: Address, vaults: readonly Address[]) {
  const transfers: ShareTransfer[] = [];
  const requests: NamedRequest[] = [];
  const deposits = new Set<Hex>();
  const payments: ShareTransfer[] = [];
  const topics = new Map<Hex, number>();
  return {
    logs: { transfers, requests, deposits, payments, topics } satisfies VaultLogs,
    take(log: RawLog): void {
      const address = lower(log.address);
      if (vaults.includes(address)) {
        const topic = log.topics[0] ?? ANONYMOUS;
        topics.set(topic, (topics.get(topic) ?? 0) + 1);
        if (DEPOSITS.has(topic)) deposits.add(log.transactionHash);
        const request = requestOf(log, address);
        if (request !== undefined) requests.push(request);
      }
      if (address === share && isTransfer(log)) transfers.push(transferOf(log));
    },
    takePayment(log: RawLog): void {
      if (isTransfer(log)) payments.push(transferOf(log));
    },
  };
}

/** An ERC-20's; an NFT's has the amount among its topics. */
export function isTransfer({ topics, data }: RawLog): boolean {
  return topics[0] === TRANSFER && topics.length === 3 && data.length === 66;
}

export function transferOf({ topics, data, blockNumber, transactionHash }: RawLog): ShareTransfer {
  return {
    block: blockNumber,
    transaction: transactionHash,
    from: addressIn(topics[1]!),
    to: addressIn(topics[2]!),
    value: BigInt(data),
  };
}

function requestOf(
  { topics, blockNumber, transactionHash }: RawLog,
  vault: Address,
): NamedRequest | undefined {
  if (topics.length !== 4) return undefined;
  const at = { block: blockNumber, transaction: transactionHash };
  const named = { ...at, vault, controller: addressIn(topics[1]!) };
  switch (topics[0]) {
    case QUEUED_BY_RECEIVER:
      return { ...named, side: 'redeem', id: null };
    case REDEEM_REQUEST:
      return { ...named, side: 'redeem', id: BigInt(topics[3]!) };
    case DEPOSIT_REQUEST:
      return { ...named, side: 'deposit', id: BigInt(topics[3]!) };
    default:
      return undefined;
  }
}

export function addressIn(word: Hex): Address {
  return lower(`0x${word.slice(-40)}`);
}

/** As a topic has it. */
export function wordOf(address: Address): Hex {
  return `0x${lower(address).slice(2).padStart(64, '0')}`;
}
