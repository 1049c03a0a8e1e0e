import { topicAddress, wordAt } from '../../chain/abi.ts';
import type { RawLog } from '../../chain/chainClient.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import type { VaultOnChain } from '../kind.ts';
import {
  DEPOSIT,
  decodeDeposit,
  decodeVaultLog,
  decodeWithdraw,
  ofVault,
  TRANSFER,
  WITHDRAW,
} from '../vaultLogs.ts';
import {
  APPROVAL,
  CANCEL_REDEEM_CLAIM,
  DEPOSIT_REQUEST,
  DEPOSIT_SYNC,
  REDEEM_REQUEST,
  REDEEM_REQUEST_CANCELED,
  REDEEM_REQUEST_CANCELLED,
  WITHDRAW_SYNC,
} from './abi.ts';

/** Any event beyond the standard may have settled a request, so it triggers a read. */
export function decode(log: RawLog, place: LogPlace, vault: VaultOnChain): VaultEvent | undefined {
  const { share, found } = vault;
  const [topic] = log.topics;
  if (topic === TRANSFER) return log.address === share ? decodeVaultLog(log, place) : undefined;
  if (topic === APPROVAL || !found.vaults.includes(log.address)) return undefined;
  const event = decodeOwn(log, place);
  if (event === undefined) return { kind: 'other', place, txHash: log.transactionHash };
  return ofVault(event, log.address, found);
}

function decodeOwn(log: RawLog, place: LogPlace): VaultEvent | undefined {
  const [topic, first, second, third] = log.topics;
  if (topic === DEPOSIT || topic === WITHDRAW) return decodeVaultLog(log, place);
  if (topic === DEPOSIT_SYNC) return decodeDeposit(log, place);
  if (topic === WITHDRAW_SYNC) return decodeWithdraw(log, place);
  if (first === undefined || second === undefined) return undefined;
  const txHash = log.transactionHash;
  if (topic === REDEEM_REQUEST_CANCELED) {
    const shares = wordAt(log.data, 0);
    return { kind: 'cancel', place, txHash, receiver: topicAddress(second), assets: null, shares };
  }
  if (topic === REDEEM_REQUEST_CANCELLED) {
    const [controller, receiver] = [topicAddress(first), topicAddress(second)];
    return { kind: 'cancel', place, txHash, controller, receiver, assets: null, shares: null };
  }
  if (third === undefined) return undefined;
  // Includes 0: usually the ID of a controller's aggregated requests, and in some vaults the first request.
  const requestId = BigInt(third);
  switch (topic) {
    case REDEEM_REQUEST:
      return {
        kind: 'redeem-request',
        place,
        txHash,
        receiver: topicAddress(first),
        owner: topicAddress(second),
        assets: null,
        shares: wordAt(log.data, 1),
        requestId,
      };
    case DEPOSIT_REQUEST: {
      const controller = topicAddress(first);
      const assets = wordAt(log.data, 1);
      return { kind: 'deposit-request', place, txHash, controller, assets, requestId };
    }
    case CANCEL_REDEEM_CLAIM: {
      const shares = wordAt(log.data, 1);
      return { kind: 'cancel', place, txHash, receiver: topicAddress(first), assets: null, shares };
    }
    default:
      return undefined;
  }
}
