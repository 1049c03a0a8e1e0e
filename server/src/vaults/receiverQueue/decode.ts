import { topicAddress, wordAt } from '../../chain/abi.ts';
import type { RawLog } from '../../chain/chainClient.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import type { VaultOnChain } from '../kind.ts';
import { decodePool, POOL_DECLARED } from '../pools.ts';
import { decodeVaultLog } from '../vaultLogs.ts';
import { REDEEM_REQUEST, REQUEST_CANCELLED, SHARE_PRICE_UPDATED } from './abi.ts';

/**
 * An instant redemption emits a RedeemRequest in addition to its Withdraw, and a fulfilment a RequestFulfilled: in both
 * cases the Withdraw is complete, so the other event is ignored.
 */
export function decode(log: RawLog, place: LogPlace, vault: VaultOnChain): VaultEvent | undefined {
  const { family, chain, master, found } = vault;
  const topic = log.topics[0];
  const first = log.topics[1];
  const second = log.topics[2];
  const third = log.topics[3];
  // Every event here has an address in a topic: a log without one is another event.
  if (first === undefined) return undefined;
  if (log.address === chain.address) {
    if (topic === REDEEM_REQUEST) {
      if (second === undefined || third === undefined || BigInt(third) !== 0n) return undefined;
      return {
        kind: 'redeem-request',
        place,
        txHash: log.transactionHash,
        receiver: topicAddress(first),
        owner: topicAddress(second),
        assets: wordAt(log.data, 0),
        shares: wordAt(log.data, 1),
      };
    }
    if (topic === REQUEST_CANCELLED) {
      const receiver = topicAddress(first);
      const shares = wordAt(log.data, 0);
      const assets = wordAt(log.data, 1);
      return { kind: 'cancel', place, txHash: log.transactionHash, receiver, assets, shares };
    }
    return decodeVaultLog(log, place);
  }
  if (log.address === found.oracle?.address && topic === SHARE_PRICE_UPDATED) {
    if (topicAddress(first) !== found.oracle.entry) return undefined;
    return { kind: 'share-price', place, txHash: log.transactionHash, price: wordAt(log.data, 0) };
  }
  // A feeder's pools are those of its master.
  if (log.address === chain.registry && topic === POOL_DECLARED && master === null) {
    if (second === undefined || topicAddress(first) !== family.bindingDeclarationAddress)
      return undefined;
    return decodePool(log, place);
  }
  return undefined;
}
