import type { Address } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import type { PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import { askState, readState } from '../chain/authorizationState.ts';
import type { Nodes } from '../chain/nodes.ts';
import { paysUs, type Receipt } from '../chain/receipt.ts';
import type { RevertCode } from '../chain/revertCode.ts';
import type { Settlement } from './facilitator.ts';
import { readCall } from './simulation.ts';
import type { Transaction } from './transaction.ts';

/** What a mined transaction means for its payment. */
export function createSettlementEnding(deps: {
  readonly nodes: Nodes;
  readonly terms: PaymentTerms;
  /** Whoever asks, the answer is the same; only an account must be named. */
  readonly caller: Address;
}): (
  payment: SignedAuthorization,
  transaction: Transaction,
  receipt: Receipt,
) => Promise<Settlement> {
  const { nodes, terms, caller } = deps;

  return async (payment, transaction, receipt) => {
    if (paysUs(receipt, terms, payment.authorization)) {
      return { outcome: 'settled', transaction: receipt.transaction };
    }
    if (receipt.succeeded) return { outcome: 'unknown' };
    const code = await whyReverted(receipt, payment, transaction).catch(() => null);
    return code === null ? { outcome: 'unknown' } : { outcome: 'refused', code };
  };

  /** Null when it was used: by somebody who saw our transaction and was faster, perhaps to our own good. */
  async function whyReverted(
    { blockNumber }: Receipt,
    { authorization }: SignedAuthorization,
    { to, data }: Transaction,
  ): Promise<RevertCode | null> {
    const [state] = await nodes.ask([askState(terms.asset, authorization, blockNumber)]);
    if (readState(state)) return null;
    const block = hexQuantity(blockNumber);
    const [answer] = await nodes.ask([
      { method: 'eth_call', params: [{ from: caller, to, data }, block] },
    ]);
    // Would pass there: it ran out of gas, or something changed within the block.
    return readCall(answer!) ?? 'payment_would_fail';
  }
}
