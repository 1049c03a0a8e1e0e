import type { Address } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import type { PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { readState, stateCall } from '../chain/authorizationState.ts';
import type { Nodes } from '../chain/nodes.ts';
import { paysUs, type Receipt } from '../chain/receipt.ts';
import type { RevertCode } from '../chain/revertCode.ts';
import type { Settlement } from './facilitator.ts';
import { readCall } from './simulation.ts';
import type { Transaction } from './transaction.ts';

/** Determines what a mined transaction means for its payment. */
export type GetSettlementOutcome = (
  payment: SignedAuthorization,
  transaction: Transaction,
  receipt: Receipt,
) => Promise<Settlement>;

export function createSettlementOutcome(deps: {
  readonly nodes: Nodes;
  readonly terms: PaymentTerms;
  /** The result does not depend on the caller, but a call needs one. */
  readonly caller: Address;
}): GetSettlementOutcome {
  const { nodes, terms, caller } = deps;

  return async (payment, transaction, receipt) => {
    if (paysUs(receipt, terms, payment.authorization)) {
      return { outcome: 'settled', transaction: receipt.transaction };
    }
    if (receipt.succeeded) return { outcome: 'unknown' };
    const code = await whyReverted(receipt, payment, transaction).catch(() => null);
    return code === null ? { outcome: 'unknown' } : { outcome: 'refused', code };
  };

  /** Returns null if it was used: another sender settled it first, possibly in this server's favor. */
  async function whyReverted(
    { blockNumber }: Receipt,
    { authorization }: SignedAuthorization,
    { to, data }: Transaction,
  ): Promise<RevertCode | null> {
    const [state] = await nodes.request([stateCall(terms.asset, authorization, blockNumber)]);
    if (readState(state)) return null;
    const block = hexQuantity(blockNumber);
    const [answer] = await nodes.request([
      { method: 'eth_call', params: [{ from: caller, to, data }, block] },
    ]);
    // It would succeed at that block: it ran out of gas, or something changed within the block.
    return readCall(answer!) ?? 'payment_would_fail';
  }
}
