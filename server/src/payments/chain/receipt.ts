import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { Authorization, PaymentTerms } from '../authorization/payment.ts';

export interface Receipt {
  readonly transaction: Hex;
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly logs: readonly ReceiptLog[];
  readonly gasUsed: bigint;
  /** The sender's total cost, including a rollup's data fee. */
  readonly wei: bigint;
}

export interface ReceiptLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** keccak256 of `AuthorizationUsed(address,bytes32)`. */
export const USED_TOPIC: Hex = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
/** keccak256 of `AuthorizationCanceled(address,bytes32)`. */
export const CANCELED_TOPIC: Hex =
  '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';
/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC: Hex =
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Returns null for a transaction that is not mined, and for a malformed receipt. */
export function parseReceipt(value: unknown): Receipt | null {
  if (typeof value !== 'object' || value === null) return null;
  const { transactionHash, status, blockNumber, logs } = value as Record<string, unknown>;
  if (typeof transactionHash !== 'string' || !/^0x[0-9a-f]{1,12}$/i.test(String(blockNumber))) {
    return null;
  }
  if (!Array.isArray(logs) || (status !== '0x1' && status !== '0x0')) return null;
  const gasUsed = quantity(value, 'gasUsed');
  return {
    transaction: lower(transactionHash),
    succeeded: status === '0x1',
    blockNumber: Number(blockNumber),
    logs: logs.map((log) => ({
      address: lower(String(log?.address)),
      topics: Array.isArray(log?.topics)
        ? log.topics.map((topic: unknown) => lower(String(topic)))
        : [],
      data: lower(String(log?.data)),
    })),
    gasUsed,
    wei: gasUsed * quantity(value, 'effectiveGasPrice') + quantity(value, 'l1Fee'),
  };
}

/** Not every chain returns every field: a missing one counts as zero cost. */
function quantity(receipt: object, name: string): bigint {
  const text: unknown = (receipt as Record<string, unknown>)[name];
  return typeof text === 'string' && /^0x[0-9a-f]{1,64}$/i.test(text) ? BigInt(text) : 0n;
}

/** Whether this authorization paid `payTo` in this transaction. */
export function paysUs(
  receipt: Receipt,
  terms: Pick<PaymentTerms, 'asset' | 'payTo'>,
  authorization: Authorization,
): boolean {
  const transfer = findTransfer(receipt, lower(terms.asset), authorization);
  return transfer?.to === lower(terms.payTo) && transfer.value === authorization.value;
}

/**
 * Finds the transfer that an authorization made: the token's next log after its AuthorizationUsed event. Matching any
 * transfer of the value would be wrong, since one transaction can use several authorizations of a payer, who may have
 * signed two with one nonce.
 */
export function findTransfer(
  receipt: Receipt,
  asset: Address,
  { from, nonce }: Pick<Authorization, 'from' | 'nonce'>,
): { readonly to: Address; readonly value: bigint } | null {
  if (!receipt.succeeded) return null;
  const logs = receipt.logs.filter(({ address }) => address === asset);
  const used = logs.findIndex(
    ({ topics }) =>
      topics[0] === USED_TOPIC && topics[1] === addressTopic(from) && topics[2] === lower(nonce),
  );
  const transfer = used < 0 ? undefined : logs[used + 1];
  if (transfer === undefined) return null;
  const [topic, sender, receiver] = transfer.topics;
  if (topic !== TRANSFER_TOPIC || sender !== addressTopic(from)) return null;
  if (receiver?.length !== 66 || !/^0x[0-9a-f]{64}$/.test(transfer.data)) return null;
  return { to: `0x${receiver.slice(26)}`, value: BigInt(transfer.data) };
}

export function addressTopic(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}
