import { toEventSelector } from 'viem';
import type { RawLog } from '../chain/chainClient.ts';
import { type Address, type Hex, lower } from '../domain/hex.ts';
import type { QueueEvent } from './ratedRequests.ts';

/**
 * The data taken from logs: which wallets may have pending shares, the share token's transfers, and the topics that
 * occur. Holdings are read from the contracts.
 */
export interface VaultLogs {
  readonly transfers: readonly ShareTransfer[];
  readonly requests: readonly LoggedRequest[];
  /** Transactions with a deposit, or the claim of a deposit. */
  readonly deposits: ReadonlySet<Hex>;
  /** Transactions with a redemption. */
  readonly exits: ReadonlySet<Hex>;
  /** Accounts in the vaults' events: in payments, and in all events with several accounts. */
  readonly mentions: readonly AccountMention[];
  /** Blocks with events of the vaults that may change the price: not transfers, payments, and redemption requests. */
  readonly busyBlocks: ReadonlySet<number>;
  /**
   * Transfers of the asset out of the vaults and custody, if custody accounts are configured whose shares were burned.
   */
  readonly payments: readonly ShareTransfer[];
  /** Requests that a described queue reported as settled, by number (rated). */
  readonly settled: readonly SettledRange[];
  /** Events of a described queue, in order (rated). */
  readonly queue: readonly QueueEvent[];
  /** How often the vaults emitted each first topic. */
  readonly topics: ReadonlyMap<Hex, number>;
}

export interface SettledRange {
  readonly block: number;
  readonly vault: Address;
  readonly from: bigint;
  readonly to: bigint;
}

export interface ShareTransfer {
  readonly block: number;
  readonly transaction: Hex;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
}

/** The accounts in one event. */
export interface AccountMention {
  readonly block: number;
  readonly transaction: Hex;
  readonly topic: Hex;
  readonly accounts: readonly Address[];
}

/** The controller in a request event; the amount is not used. */
export interface LoggedRequest {
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
export const WITHDRAW = toEventSelector('Withdraw(address,address,address,uint256,uint256)');
const APPROVAL = toEventSelector('Approval(address,address,uint256)');
const DEPOSITS: ReadonlySet<Hex> = new Set([
  toEventSelector('Deposit(address,address,uint256,uint256)'),
  toEventSelector('DepositSync(address,address,uint256,uint256)'),
]);
const EXITS: ReadonlySet<Hex> = new Set([
  toEventSelector('Withdraw(address,address,address,uint256,uint256)'),
  toEventSelector('WithdrawSync(address,address,address,uint256,uint256)'),
]);
const QUIET: ReadonlySet<Hex> = new Set([TRANSFER, APPROVAL, REDEEM_REQUEST]);
/** Whether the event does not change the price. */
function isQuiet(topic: Hex): boolean {
  return QUIET.has(topic) || DEPOSITS.has(topic) || EXITS.has(topic);
}

/** Topic of logs without any topic. */
const ANONYMOUS: Hex = '0x';

export function createVaultLogStore(share: Address, vaults: readonly Address[]) {
  const transfers: ShareTransfer[] = [];
  const requests: LoggedRequest[] = [];
  const deposits = new Set<Hex>();
  const exits = new Set<Hex>();
  const mentions: AccountMention[] = [];
  const busyBlocks = new Set<number>();
  const payments: ShareTransfer[] = [];
  const settled: SettledRange[] = [];
  const queue: QueueEvent[] = [];
  const topics = new Map<Hex, number>();
  return {
    logs: {
      ...{ transfers, requests, deposits, exits, mentions },
      ...{ busyBlocks, payments, settled, queue, topics },
    } satisfies VaultLogs,
    take(log: RawLog): void {
      const address = lower(log.address);
      if (vaults.includes(address)) {
        const topic = log.topics[0] ?? ANONYMOUS;
        topics.set(topic, (topics.get(topic) ?? 0) + 1);
        if (!isQuiet(topic)) busyBlocks.add(log.blockNumber);
        if (DEPOSITS.has(topic)) deposits.add(log.transactionHash);
        if (EXITS.has(topic)) exits.add(log.transactionHash);
        const mention = mentionOf(log, topic);
        if (mention !== undefined) mentions.push(mention);
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

/** An ERC-20 transfer; an NFT's has the amount among its topics. */
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
): LoggedRequest | undefined {
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

/** A smaller reported is a number, not an address. */
const MIN_ADDRESS = 1n << 64n;

function mentionOf(
  { topics, blockNumber, transactionHash }: RawLog,
  topic: Hex,
): AccountMention | undefined {
  if (topic === TRANSFER || topic === APPROVAL) return undefined;
  const words = topics.slice(1).map(BigInt);
  const isAccount = (reported: bigint) => reported >> 160n === 0n && reported >= MIN_ADDRESS;
  const accounts = topics
    .slice(1)
    .flatMap((one, i) => (isAccount(words[i]!) ? addressIn(one) : []));
  const isPayment = topic === WITHDRAW || DEPOSITS.has(topic);
  if (!isPayment && new Set(accounts).size < 2) return undefined;
  return { block: blockNumber, transaction: transactionHash, topic, accounts };
}

export function addressIn(reported: Hex): Address {
  return lower(`0x${reported.slice(-40)}`);
}

/** Encoded as a topic. */
export function wordOf(address: Address): Hex {
  return `0x${lower(address).slice(2).padStart(64, '0')}`;
}
