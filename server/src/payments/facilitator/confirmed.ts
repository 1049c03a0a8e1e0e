import { pause } from '../../runtime/pause.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import type { Facilitator, Settlement } from './facilitator.ts';

/** A service reported a settlement that the chain does not show; nothing was delivered for it. */
export class SettlementUnconfirmed extends Error {
  override readonly name = 'SettlementUnconfirmed';

  constructor(isMined: boolean) {
    super(
      isMined
        ? 'the facilitator service reported a settlement by a transaction that does not pay it: ask the operator of the service'
        : 'the facilitator service reported a settlement that the RPC endpoints do not show: check that they are not behind, then ask the operator of the service',
    );
  }

  get safeText(): string {
    return this.message;
  }
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
/** RPC endpoints are often a block or two behind those of the service, which may have used the entire timeout. */
const MIN_TIMEOUT_MS = 5_000;

/** Accepts a settlement that a service reports only when the chain shows it; until then the settlement is `unknown`. */
export function createConfirmed(options: {
  readonly facilitator: Facilitator;
  readonly isPaidBy: PaymentChain['isPaidBy'];
  /** Whether the service's report is enough at the moment. */
  readonly isTrusted: () => boolean;
  /** For the settlement and its confirmation together. */
  readonly timeoutMs: number;
  readonly onError: (error: unknown) => void;
}): Facilitator {
  const { facilitator, isPaidBy, isTrusted, timeoutMs, onError } = options;
  return { ...facilitator, settle };

  async function settle(payment: SignedAuthorization): Promise<Settlement> {
    const end = performance.now() + timeoutMs;
    const settlement = await facilitator.settle(payment);
    if (settlement.outcome !== 'settled' || isTrusted()) return settlement;
    const until = Math.max(end, performance.now() + MIN_TIMEOUT_MS);
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
      const paid = await isPaidBy(payment.authorization, settlement.transaction).catch(() => null);
      if (paid === true) return settlement;
      if (paid === false || performance.now() + ms > until) {
        onError(new SettlementUnconfirmed(paid === false));
        return { outcome: 'unknown' };
      }
      await pause(ms);
    }
  }
}
