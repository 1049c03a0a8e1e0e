import { isAssayError } from '@assay/client';
import { PathError } from '../../terminal/select.ts';
import { timeText } from '../../terminal/times.ts';
import { EXIT } from './exitCodes.ts';
import { describeReadFailure, type ReadFailure, sanitizeServerText } from './failures.ts';
import type { BookedPurchase } from './spendBooks.ts';

/** Describes a failure to read or change spend stores; rethrows any other error. */
export function describeSpendFailure(error: unknown): ReadFailure {
  if (error instanceof PathError) {
    return { text: `--select: ${sanitizeServerText(error.message)}`, exitCode: EXIT.usage };
  }
  if (!isAssayError(error)) throw error;
  return { text: sanitizeServerText(error.message), exitCode: EXIT.failed };
}

export function unknownPayment(id: string): ReadFailure {
  return {
    text: `there is no payment ${JSON.stringify(sanitizeServerText(id))}; "assay spend" lists all`,
    exitCode: EXIT.notFound,
  };
}

/** For actions that must wait until a payment can no longer be charged. */
export function stillOpen({ id, chargeableUntil }: BookedPurchase, advice: string): ReadFailure {
  const until = timeText(chargeableUntil);
  return {
    text: `payment ${id} is unresolved and may be charged until ${until} UTC; ${advice}`,
    exitCode: EXIT.unknownOutcome,
  };
}

/** Describes why a seller did not resend a response. */
export function describeRefetchFailure(
  error: unknown,
  { id, url, host }: BookedPurchase,
): ReadFailure {
  const { origin } = new URL(url);
  if (isAssayError(error, 'unresolved') && isAssayError(error.cause)) {
    return describeReadFailure(error.cause, origin)!;
  }
  if (isAssayError(error, 'refused')) {
    return {
      text: `${host} no longer has the response of payment ${id} (${sanitizeServerText(error.code)}); nothing was paid`,
      exitCode: EXIT.notFound,
    };
  }
  if (isAssayError(error, 'not_allowed') || isAssayError(error, 'invoice')) {
    return {
      text: `${host} rejected payment ${id} and requests a new one; nothing was paid`,
      exitCode: EXIT.notPaid,
    };
  }
  if (isAssayError(error, 'store')) return describeSpendFailure(error);
  return describeReadFailure(error, origin) ?? describeSpendFailure(error);
}
