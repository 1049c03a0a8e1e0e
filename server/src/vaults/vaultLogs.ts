import { eventTopic, topicAddress, wordAt } from '../chain/abi.ts';
import type { RawLog } from '../chain/chainClient.ts';
import type { Address } from '../domain/hex.ts';
import type { LogPlace } from '../domain/order.ts';
import type { VaultEvent } from '../domain/vault/event.ts';

/** The logs of every tokenized vault: ERC-4626 and its share token's ERC-20. */
export const DEPOSIT = eventTopic(
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
);
export const WITHDRAW = eventTopic(
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
);
export const TRANSFER = eventTopic(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);

/**
 * Uses the fixed layout, and topics by index: the general parser costs twice as much, and destructuring an array half
 * as much again until it is compiled. This runs for every log.
 */
export function decodeVaultLog(log: RawLog, place: LogPlace): VaultEvent | undefined {
  const topic = log.topics[0];
  const first = log.topics[1];
  const second = log.topics[2];
  const txHash = log.transactionHash;
  if (topic === TRANSFER && second !== undefined) {
    const from = topicAddress(first!);
    const to = topicAddress(second);
    return { kind: 'transfer', place, txHash, from, to, shares: wordAt(log.data, 0) };
  }
  if (topic === DEPOSIT) return decodeDeposit(log, place);
  if (topic === WITHDRAW) return decodeWithdraw(log, place);
  return undefined;
}

/**
 * Adds the vault to an event of one of several vaults over a share, with a null amount if its asset is not the
 * family's.
 */
export function ofVault(
  event: VaultEvent,
  vault: Address,
  { vaults, sameAsset }: { vaults: readonly Address[]; sameAsset: ReadonlySet<Address> },
): VaultEvent {
  if (vault === vaults[0]) return event;
  // The amount is in another asset: the value follows from the shares.
  const named = event.kind === 'deposit' || event.kind === 'withdraw';
  return named && !sameAsset.has(vault) ? { ...event, assets: null, vault } : { ...event, vault };
}

/** Decodes a deposit from any event of this layout. */
export function decodeDeposit(log: RawLog, place: LogPlace): VaultEvent | undefined {
  const first = log.topics[1];
  const second = log.topics[2];
  if (second === undefined) return undefined;
  const sender = topicAddress(first!);
  const owner = topicAddress(second);
  const assets = wordAt(log.data, 0);
  const shares = wordAt(log.data, 1);
  const txHash = log.transactionHash;
  return { kind: 'deposit', place, txHash, sender, owner, assets, shares };
}

/** Decodes a withdrawal from any event of this layout. */
export function decodeWithdraw(log: RawLog, place: LogPlace): VaultEvent | undefined {
  const second = log.topics[2];
  const third = log.topics[3];
  if (third === undefined) return undefined;
  const receiver = topicAddress(second!);
  const owner = topicAddress(third);
  const assets = wordAt(log.data, 0);
  const shares = wordAt(log.data, 1);
  const txHash = log.transactionHash;
  return { kind: 'withdraw', place, txHash, receiver, owner, assets, shares };
}
