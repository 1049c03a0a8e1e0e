import { lower } from '../../domain/hex.ts';
import { networkOf, requirements } from '../authorization/invoice.ts';
import type { PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import {
  atOnce,
  type Facilitator,
  FacilitatorUnavailable,
  type Settlement,
  type Turn,
  type Verification,
} from './facilitator.ts';
import {
  createHeadersCommand,
  HeadersCommandFailed,
  type HeaderValues,
  type ServiceRequest,
} from './headersCommand.ts';
import { createServiceClient, type ServiceAnswer, ServiceFailed } from './serviceClient.ts';

export interface RemoteFacilitator extends Facilitator {
  readonly kind: 'remote';
  /** Default: the configured timeout. */
  settle(payment: SignedAuthorization, timeoutMs?: number): Promise<Settlement>;
  /** Whether it settles on this network. Throws FacilitatorUnavailable. */
  supports(): Promise<boolean>;
}

export interface RemoteOptions {
  readonly url: string;
  readonly terms: PaymentTerms;
  /** Sent with every request, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A program that prints headers for one request; they override the others. */
  readonly headersCommand?: readonly string[] | undefined;
  readonly verifyTimeoutMs?: number;
  readonly settleTimeoutMs?: number;
  /** Called with errors that only the operator can fix. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Called with the listing status that the service returned. */
  readonly onListing?: ((listing: Listing) => void) | undefined;
}

/** Whether a service lists a resource, in third-party text. */
export interface Listing {
  readonly url: string;
  readonly status: string;
  readonly reason?: string;
}

const CODE = /^[a-z0-9_]{1,64}$/;
const TRANSACTION = /^0x[0-9a-f]{64}$/i;

/** The protocol's code for a transaction that was sent and not mined in time. */
const PENDING = 'settlement_pending';

/** Codes of services that failed to verify, which is not a rejection. */
const NOT_VERIFIED = /^unexpected_|unavailable|timed?_?out|rpc_|internal|rate_limit/;

/**
 * Reasons that services return before they send anything. After any other reason, known or not, money may have moved:
 * services report a lost receipt and a failed transfer alike.
 */
const SURELY_NOT_SENT =
  /^(?:insufficient_funds|invalid_signature|authorization_expired|authorization_not_yet_valid|facilitator_(?:unavailable|out_of_gas)|network_fees_too_high|invalid_(?:scheme|network|payload|payment_requirements|x402_version)|unsupported_(?:scheme|payload_type)|asset_not_deployed_contract|eip6492_factory_not_allowed|invalid_exact_evm_(?:scheme|signature|network_mismatch|recipient_mismatch|authorization_value|failed_to_parse_signature|insufficient_balance|payload_[a-z_]+))$/;

/** Uses any facilitator of the protocol's version 2 over HTTP. */
export function createRemoteFacilitator(options: RemoteOptions): RemoteFacilitator {
  const { terms } = options;
  const network = networkOf(terms);
  const fixed = Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const ownHeaders = options.headersCommand && createHeadersCommand(options.headersCommand);
  const service = createServiceClient({ url: options.url, headersFor });
  const verifyTimeoutMs = options.verifyTimeoutMs ?? 10_000;
  const settleTimeoutMs = options.settleTimeoutMs ?? 45_000;

  return { kind: 'remote', verify, forget: () => {}, settle, supports, close: async () => {} };

  async function verify(payment: SignedAuthorization, turn: Turn = atOnce): Promise<Verification> {
    const answer = await turn(() => call('verify', payment));
    const { isValid, invalidReason } = answer.body;
    if (!answer.ok || typeof isValid !== 'boolean') throw new FacilitatorUnavailable();
    reportListing(payment, answer);
    if (isValid) return { ok: true };
    const code = sanitizeCode(invalidReason);
    if (NOT_VERIFIED.test(code)) throw new FacilitatorUnavailable();
    return { ok: false, code };
  }

  async function settle(
    payment: SignedAuthorization,
    timeoutMs = settleTimeoutMs,
  ): Promise<Settlement> {
    try {
      const answer = await service.request('settle', timeoutMs, wire(payment));
      const { success, network: settledOn, transaction } = answer.body;
      reportListing(payment, answer);
      if (typeof success !== 'boolean') return { outcome: 'unknown', retryable: true };
      if (!answer.ok || !success) return failure(answer.body);
      if (settledOn !== network || !isTransaction(transaction)) return { outcome: 'unknown' };
      return { outcome: 'settled', transaction: lower(transaction) };
    } catch (error) {
      if (error instanceof HeadersCommandFailed) {
        return { outcome: 'refused', code: 'facilitator_unavailable' };
      }
      const reason = error instanceof ServiceFailed ? error.reason : 'unreadable';
      if (reason === 'redirect') options.onError?.(error);
      // It may have settled and failed to report it; after a timeout it may still be working.
      return { outcome: 'unknown', retryable: reason === 'unreadable' };
    }
  }

  function failure({ errorReason, transaction }: ServiceAnswer['body']): Settlement {
    const code = sanitizeCode(errorReason);
    const sent = isTransaction(transaction);
    if (!sent && SURELY_NOT_SENT.test(code)) return { outcome: 'refused', code };
    // When requested again, it keeps waiting for the transaction that it sent.
    return { outcome: 'unknown', retryable: !sent || code === PENDING };
  }

  async function supports(): Promise<boolean> {
    const { ok, body } = await call('supported');
    if (!ok || !Array.isArray(body.kinds)) throw new FacilitatorUnavailable();
    return body.kinds.some(
      (kind) => kind?.x402Version === 2 && kind.scheme === 'exact' && kind.network === network,
    );
  }

  /** Drops a response that is not a result: it may contain anything. */
  async function call(
    path: 'verify' | 'supported',
    payment?: SignedAuthorization,
  ): Promise<ServiceAnswer> {
    try {
      return await service.request(path, verifyTimeoutMs, payment && wire(payment));
    } catch (error) {
      const isReportable =
        error instanceof HeadersCommandFailed ||
        (error instanceof ServiceFailed && error.reason === 'redirect');
      throw new FacilitatorUnavailable(isReportable ? { cause: error } : {});
    }
  }

  function reportListing({ offered }: SignedAuthorization, { extensions }: ServiceAnswer): void {
    const { status, rejectedReason } = (extensions.bazaar ?? {}) as Record<string, unknown>;
    if (offered === undefined || typeof status !== 'string') return;
    const reason = typeof rejectedReason === 'string' && { reason: shorten(rejectedReason) };
    options.onListing?.({ url: offered.resource.url, status: shorten(status), ...reason });
  }

  async function headersFor(request: ServiceRequest): Promise<HeaderValues> {
    return { ...fixed, ...(await ownHeaders?.(request)) };
  }

  function wire({ authorization, signature, offered }: SignedAuthorization) {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const accepted = requirements(terms, value);
    const payload = {
      signature,
      authorization: {
        from,
        to,
        value: String(value),
        validAfter: String(validAfter),
        validBefore: String(validBefore),
        nonce,
      },
    };
    const { resource, extensions } = offered ?? {};
    const listed = resource && extensions && { resource, extensions };
    const paymentPayload = { x402Version: 2, accepted, payload, ...listed };
    return { x402Version: 2, paymentPayload, paymentRequirements: accepted };
  }
}

/** Shortens third-party text for the log. */
function shorten(words: string): string {
  return words.slice(0, 200);
}

function isTransaction(value: unknown): value is string {
  return typeof value === 'string' && TRANSACTION.test(value);
}

function sanitizeCode(code: unknown): string {
  return typeof code === 'string' && CODE.test(code) ? code : 'payment_refused';
}
