import http from 'node:http';
import { extractDiscoveryInfo } from '@x402/extensions/bazaar';
import { type Hex, lower } from '../src/domain/hex.ts';
import type { SignedAuthorization } from '../src/payments/authorization/payment.ts';
import {
  type Facilitator,
  FacilitatorUnavailable,
  type Settlement,
} from '../src/payments/facilitator/facilitator.ts';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';

export type FacilitatorFault =
  | 'none'
  /** Refuses connections. */
  | 'down'
  /** Accepts the request and never responds. */
  | 'hang'
  | 'garbage'
  /** JSON that gives a reason without a result. */
  | 'half'
  /** Responds, and continues for as long as the client reads. */
  | 'endless'
  | 'http500'
  /** Settles, then responds with HTTP 500, a general error, or garbage, or never responds. */
  | 'settle-then-500'
  | 'settle-then-error'
  | 'settle-then-garbage'
  | 'settle-then-hang'
  /** Claims success without settling. */
  | 'lie'
  /** Rejects a settlement while it settles another. */
  | 'busy'
  | { readonly slowMs: number };

/** A facilitator for version 2 of the protocol over HTTP, on loopback, with injectable faults. */
export interface FacilitatorServer {
  readonly url: string;
  /** Requests to `verify`, `settle`, and `supported` with their headers, in order. */
  readonly requests: readonly {
    readonly path: string;
    readonly headers: http.IncomingHttpHeaders;
  }[];
  /** Resources in its directory, by their canonical URLs. */
  readonly listed: ReadonlySet<string>;
  /** Applies from the next request on; with `only`, to this path alone. */
  mode(fault: FacilitatorFault, only?: 'verify' | 'settle'): Promise<void>;
  close(): Promise<void>;
}

interface WireBody {
  readonly paymentRequirements: object;
  readonly paymentPayload: {
    readonly extensions?: object;
    readonly payload: {
      readonly signature: Hex;
      readonly authorization: Readonly<Record<string, string>>;
    };
  };
}

export async function createFacilitatorServer(options: {
  facilitator: Facilitator;
  network: string;
}): Promise<FacilitatorServer> {
  const { facilitator, network } = options;
  const requests: { path: string; headers: http.IncomingHttpHeaders }[] = [];
  const listed = new Set<string>();
  const hanging = new Set<http.ServerResponse>();
  let fault: FacilitatorFault = 'none';
  let only: string | undefined;
  let settling = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').slice(1);
      requests.push({ path, headers: request.headers });
      serve(path, Buffer.concat(chunks).toString(), response).catch(() => response.destroy());
    });
  });
  const port = await listenOnLoopback(server, 0);
  return { url: `http://127.0.0.1:${port}`, requests, listed, mode, close };

  async function mode(next: FacilitatorFault, path?: 'verify' | 'settle'): Promise<void> {
    const before = fault;
    fault = next;
    only = path;
    for (const response of hanging) response.destroy();
    hanging.clear();
    if (next === 'down' && before !== 'down') await stopServer(server);
    if (next !== 'down' && before === 'down') await listenOnLoopback(server, port);
  }

  async function serve(path: string, body: string, response: http.ServerResponse): Promise<void> {
    const active = only === undefined || only === path ? fault : 'none';
    if (active === 'hang') return hang(response);
    if (active === 'garbage') return end(response, 200, '<html>Welcome to nginx</html>');
    if (active === 'half') return end(response, 200, { errorReason: 'invalid_signature' });
    if (active === 'endless') return endless(response);
    if (active === 'http500') return end(response, 500, { error: 'Internal Server Error' });
    if (typeof active === 'object') {
      await new Promise((resolve) => setTimeout(resolve, active.slowMs).unref());
    }
    if (path === 'supported') {
      return end(response, 200, { kinds: [{ x402Version: 2, scheme: 'exact', network }] });
    }
    const asked = JSON.parse(body) as WireBody;
    list(asked, response);
    const payment = readPayment(asked);
    if (path === 'verify') return verify(payment, response);
    await settle(payment, active, response);
  }

  /** Like real services, lists every resource that passes the protocol's own check. */
  function list(
    { paymentPayload, paymentRequirements }: WireBody,
    response: http.ServerResponse,
  ): void {
    if (paymentPayload.extensions === undefined) return;
    const found = extractDiscoveryInfo(paymentPayload as never, paymentRequirements as never);
    if (found) listed.add(found.resourceUrl);
    const bazaar = found ? { status: 'success' } : { status: 'rejected', rejectedReason: 'no' };
    const verdict = Buffer.from(JSON.stringify({ bazaar })).toString('base64');
    response.setHeader('EXTENSION-RESPONSES', verdict);
  }

  async function verify(
    payment: SignedAuthorization,
    response: http.ServerResponse,
  ): Promise<void> {
    const payer = payment.authorization.from;
    try {
      const verification = await facilitator.verify(payment);
      if (verification.ok) return end(response, 200, { isValid: true, payer });
      end(response, 200, { isValid: false, invalidReason: verification.code, payer });
    } catch (error) {
      if (!(error instanceof FacilitatorUnavailable)) throw error;
      end(response, 200, { isValid: false, invalidReason: 'unexpected_verify_error', payer });
    }
  }

  async function settle(
    payment: SignedAuthorization,
    active: FacilitatorFault,
    response: http.ServerResponse,
  ): Promise<void> {
    const payer = payment.authorization.from;
    if (active === 'lie')
      return end(response, 200, settlementBody({ outcome: 'settled', transaction: '0x' }));
    if (active === 'busy' && settling > 0) {
      return end(response, 200, settlementBody({ outcome: 'refused', code: 'transaction_failed' }));
    }
    settling++;
    const settlement = await facilitator.settle(payment).finally(() => {
      settling--;
    });
    switch (active) {
      case 'settle-then-500':
        return end(response, 500, { error: 'receipt lost' });
      case 'settle-then-garbage':
        return end(response, 200, '{"success":');
      case 'settle-then-hang':
        return hang(response);
      case 'settle-then-error':
        return end(response, 200, {
          success: false,
          errorReason: 'unexpected_settle_error',
          transaction: '',
          network,
          payer,
        });
    }
    end(response, 200, settlementBody(settlement));

    function settlementBody(outcome: Settlement): object {
      if (outcome.outcome === 'settled') {
        return { success: true, transaction: outcome.transaction, network, payer };
      }
      const errorReason = outcome.outcome === 'refused' ? outcome.code : 'settlement_pending';
      return { success: false, errorReason, transaction: '', network, payer };
    }
  }

  function hang(response: http.ServerResponse): void {
    hanging.add(response);
  }

  async function close(): Promise<void> {
    if (server.listening) await stopServer(server);
  }
}

function readPayment({ paymentPayload }: WireBody): SignedAuthorization {
  const { signature, authorization } = paymentPayload.payload;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    signature,
    authorization: {
      from: lower(from!),
      to: lower(to!),
      value: BigInt(value!),
      validAfter: BigInt(validAfter!),
      validBefore: BigInt(validBefore!),
      nonce: lower(nonce!),
    },
  };
}

function endless(response: http.ServerResponse): void {
  const spaces = Buffer.alloc(64 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(spaces));
  };
  response.on('drain', more);
  more();
}

function end(response: http.ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
