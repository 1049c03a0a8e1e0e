import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type { DecodedPayment } from '../authorization/decode.ts';
import type { PricedRequest } from './gateTypes.ts';
import type { RequestCount } from './requestLimits.ts';

/** A request with a signed payment, at the price that its payer has now. */
export interface Attempt {
  readonly request: PricedRequest;
  readonly payment: DecodedPayment;
  readonly key: PaymentKey;
  readonly price: bigint;
  /** How long this request may wait, by performance.now. */
  readonly until: number;
  readonly count: RequestCount;
}
