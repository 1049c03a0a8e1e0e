import { type CheckLine, fail, pass } from '../check/line.ts';
import type { PaymentsConfig } from '../config/config.ts';
import { HeadersCommandFailed } from '../payments/facilitator/headersCommand.ts';
import { createRemoteFacilitator } from '../payments/facilitator/remote.ts';
import { ServiceFailed } from '../payments/facilitator/serviceClient.ts';
import { termsOf } from '../payments/service.ts';

const URL_KEY = 'payments.facilitator.url';

/** Checks that a service settles on the payment chain; the server's own keys are checked with their chain. */
export async function examineFacilitator(
  payments: PaymentsConfig | undefined,
): Promise<CheckLine[]> {
  if (payments?.facilitator.kind !== 'remote') return [];
  const { url, headers, headersCommand, timeoutSeconds } = payments.facilitator;
  const service = createRemoteFacilitator({
    ...{ url, headers, headersCommand },
    terms: termsOf(payments),
    verifyTimeoutMs: timeoutSeconds * 1000,
  });
  const place = `chain ${payments.chainId}`;
  try {
    if (await service.supports()) return [pass(`facilitator: the service settles on ${place}`)];
    const fix = 'name one that does, or use your own keys';
    return [fail(URL_KEY, `the service settles no "exact" payments on ${place}`, fix)];
  } catch (error) {
    const cause = (error as Error).cause;
    if (cause instanceof HeadersCommandFailed || cause instanceof ServiceFailed) {
      return [{ ok: false, text: cause.safeText }];
    }
    const fix = 'correct the URL and its credentials, and check that the service is up';
    return [fail(URL_KEY, 'it does not return what it supports, as a facilitator does', fix)];
  }
}
