import { lower } from '../../domain/hex.ts';
import { networkOf, requirements } from '../authorization/invoice.ts';
import type { PaymentTerms, SignedAuthorization } from '../authorization/payment.ts';
import {
  type Facilitator,
  FacilitatorUnavailable,
  type Settlement,
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
  /** So long at most; as configured unless told. */
  settle(payment: SignedAuthorization, timeoutMs?: number): Promise<Settlement>;
  /** Whether it settles on our network. Throws FacilitatorUnavailable. */
  supports(): Promise<boolean>;
}

export interface RemoteOptions {
  readonly url: string;
  readonly terms: PaymentTerms;
  /** Sent with every request, as for an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A program that prints headers for one request; they win over the others. */
  readonly headersCommand?: readonly string[] | undefined;
  readonly verifyTimeoutMs?: number;
  readonly settleTimeoutMs?: number;
  /** What it says of listing us in its directory. */
  readonly onListing?: ((listing: Listing) => void) | undefined;
}

/** Whether a service lists a resource; its words are its own. */
export interface Listing {
  readonly url: string;
  readonly status: string;
  readonly reason?: string;
}

const CODE = /^[a-z0-9_]{1,64}$/;
const TRANSACTION = /^0x[0-9a-f]{64}$/i;

/** The protocol's code for a transaction that was sent and not seen in time. */
const PENDING = 'settlement_pending';

/** Codes of services that could not look, rather than looked and said no. */
const TROUBLE = /^unexpected_|unavailable|timed?_?out|rpc_|internal|rate_limit/;

/**
 * What services say before they send anything. After any other reason, known or not, money may have moved: services
 * name a lost receipt and a failed transfer alike.
 */
const SURELY_NOT_SENT =
  /^(?:insufficient_funds|invalid_signature|authorization_expired|authorization_not_yet_valid|facilitator_(?:unavailable|out_of_gas)|network_fees_too_high|invalid_(?:scheme|network|payload|payment_requirements|x402_version)|unsupported_(?:scheme|payload_type)|asset_not_deployed_contract|eip6492_factory_not_allowed|invalid_exact_evm_(?:scheme|signature|network_mismatch|recipient_mismatch|authorization_value|failed_to_parse_signature|insufficient_balance|payload_[a-z_]+))$/;

/** Any facilitator of the protocol's version 2 over HTTP. */
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

  async function verify(payment: SignedAuthorization): Promise<Verification> {
    const answer = await ask('verify', payment);
    const { isValid, invalidReason } = answer.body;
    if (!answer.ok || typeof isValid !== 'boolean') throw new FacilitatorUnavailable();
    tellListing(payment, answer);
    if (isValid) return { ok: true };
    const code = sanitise(invalidReason);
    if (TROUBLE.test(code)) throw new FacilitatorUnavailable();
    return { ok: false, code };
  }

  async function settle(
    payment: SignedAuthorization,
    timeoutMs = settleTimeoutMs,
  ): Promise<Settlement> {
    try {
      const answer = await service.ask('settle', timeoutMs, wire(payment));
      const { success, network: settledOn, transaction } = answer.body;
      tellListing(payment, answer);
      if (typeof success !== 'boolean') return { outcome: 'unknown', again: true };
      if (!answer.ok || !success) return failure(answer.body);
      if (settledOn !== network || !isTransaction(transaction)) return { outcome: 'unknown' };
      return { outcome: 'settled', transaction: lower(transaction) };
    } catch (error) {
      if (error instanceof HeadersCommandFailed) {
        return { outcome: 'refused', code: 'facilitator_unavailable' };
      }
      // It may have settled and failed to say so; one that has not answered in time may still be at it.
      return { outcome: 'unknown', again: !(error instanceof ServiceFailed && error.timedOut) };
    }
  }

  function failure({ errorReason, transaction }: ServiceAnswer['body']): Settlement {
    const code = sanitise(errorReason);
    const sent = isTransaction(transaction);
    if (!sent && SURELY_NOT_SENT.test(code)) return { outcome: 'refused', code };
    // Asked again for what it has sent and not seen yet, it goes on waiting.
    return { outcome: 'unknown', again: !sent || code === PENDING };
  }

  async function supports(): Promise<boolean> {
    const { ok, body } = await ask('supported');
    if (!ok || !Array.isArray(body.kinds)) throw new FacilitatorUnavailable();
    return body.kinds.some(
      (kind) => kind?.x402Version === 2 && kind.scheme === 'exact' && kind.network === network,
    );
  }

  /** What the service gave instead of an answer goes no further: it may hold anything. */
  async function ask(
    path: 'verify' | 'supported',
    payment?: SignedAuthorization,
  ): Promise<ServiceAnswer> {
    try {
      return await service.ask(path, verifyTimeoutMs, payment && wire(payment));
    } catch (error) {
      const cause = error instanceof HeadersCommandFailed ? { cause: error } : {};
      throw new FacilitatorUnavailable(cause);
    }
  }

  function tellListing({ offered }: SignedAuthorization, { extensions }: ServiceAnswer): void {
    const { status, rejectedReason } = (extensions.bazaar ?? {}) as Record<string, unknown>;
    if (offered === undefined || typeof status !== 'string') return;
    const reason = typeof rejectedReason === 'string' && { reason: shown(rejectedReason) };
    options.onListing?.({ url: offered.resource.url, status: shown(status), ...reason });
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

/** A service's own words, for the log. */
function shown(words: string): string {
  return words.slice(0, 200);
}

function isTransaction(value: unknown): value is string {
  return typeof value === 'string' && TRANSACTION.test(value);
}

function sanitise(code: unknown): string {
  return typeof code === 'string' && CODE.test(code) ? code : 'payment_refused';
}
