import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type { Authorization, PaymentTerms } from '../authorization/payment.ts';
import { getEarliestAcceptance } from '../authorization/validatePayment.ts';
import type { OnChainStatus, PaymentChain } from '../chain/paymentChain.ts';
import type { Ledger } from '../ledger/ledger.ts';

/**
 * Payments that the chain has and the ledger does not: their rows were lost in a failover. Whether a response was sent
 * is not known, so they are recorded for refund and never delivered.
 */
export interface Unrecorded {
  /**
   * Checks on chain whether an authorization paid this server. `found`: it did, and is recorded. `known`: it did, and
   * the ledger has it in another state. `unpaid`: it did not. Throws NodesUnavailable.
   */
  find(authorization: Authorization): Promise<'found' | 'known' | 'unpaid'>;
  /** Records a use that is older than its claim here. False: the ledger has it in another state. */
  record(
    authorization: Authorization,
    use: Extract<OnChainStatus, { status: 'paid' }>,
  ): Promise<boolean>;
}

export function createUnrecorded(deps: {
  readonly ledger: Pick<Ledger, 'found' | 'find'>;
  readonly chain: Pick<PaymentChain, 'isUnused' | 'getOnChainStatus' | 'blockBefore'>;
  readonly terms: PaymentTerms;
  /** Unix seconds. */
  readonly now: () => number;
  /** Called with the number of recorded payments. */
  readonly onFound: (count: number) => void;
}): Unrecorded {
  const { ledger, chain, terms, now, onFound } = deps;
  return { find, record };

  async function find(authorization: Authorization) {
    if (await chain.isUnused(authorization)) return 'unpaid';
    const from = await chain.blockBefore(getEarliestAcceptance(authorization, terms));
    const use = await chain.getOnChainStatus(authorization, from);
    if (use.status !== 'paid') return 'unpaid';
    return (await record(authorization, use)) ? 'found' : 'known';
  }

  async function record(
    { from, to, nonce, value }: Authorization,
    { transaction, blockNumber }: Extract<OnChainStatus, { status: 'paid' }>,
  ): Promise<boolean> {
    const { chainId, asset } = terms;
    const key: PaymentKey = { chainId, asset, payer: from, nonce };
    const found = { ...key, value, payTo: to, transaction, blockNumber };
    const isNew = await ledger.found(found, now());
    if (isNew) onFound(1);
    return isNew || (await ledger.find(key))?.state === 'found';
  }
}
