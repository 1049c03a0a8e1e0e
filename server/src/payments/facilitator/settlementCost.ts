import type { PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import { paysUs, type Receipt } from '../chain/receipt.ts';
import type { GasGuard, GasLoss } from './gasGuard.ts';

/** Writes down what each mined settlement took, and who is to blame for what it took in vain. */
export interface SettlementCost {
  mined(
    settlement: {
      readonly payment: SignedAuthorization;
      /** Its limit. */
      readonly gas: bigint;
      readonly hasCode: boolean;
    },
    receipt: Receipt,
  ): void;
}

/** Whoever is faster than us is so by seconds. */
const BLOCKS_BEFORE = 64;

export function createSettlementCost(deps: {
  readonly guard: GasGuard;
  readonly terms: PaymentTerms;
  /** Without it every payer is to blame. */
  readonly fateOf: PaymentChain['fateOf'] | undefined;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onGasLost: (loss: GasLoss) => void;
}): SettlementCost {
  const { guard, terms, now } = deps;
  return { mined };

  function mined(
    { payment, gas: limit, hasCode }: Parameters<SettlementCost['mined']>[0],
    receipt: Receipt,
  ): void {
    const { from: payer } = payment.authorization;
    const { transaction, wei } = receipt;
    const gas = receipt.gasUsed > 0n ? receipt.gasUsed : limit;
    if (paysUs(receipt, terms, payment.authorization)) {
      guard.settled(payer, { gas, wei }, hasCode);
      return;
    }
    const loss = { payer, transaction, gas, wei, at: now(), blamed: true };
    // At once: the payer may be asking for the next one already.
    guard.failed(loss);
    void judge(loss, payment, receipt);
  }

  async function judge(
    loss: GasLoss,
    { authorization }: SignedAuthorization,
    { blockNumber }: Receipt,
  ): Promise<void> {
    const from = Math.max(0, blockNumber - BLOCKS_BEFORE);
    const found = await deps.fateOf?.(authorization, from).catch(() => undefined);
    const blamed = found?.fate !== 'paid';
    if (!blamed) guard.pardon(loss);
    deps.onGasLost({ ...loss, blamed });
  }
}
