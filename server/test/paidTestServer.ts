import http from 'node:http';
import { getAddress } from 'viem';
import { expect } from 'vitest';
import type { RouteRequest } from '../src/http/route.ts';
import { requirements } from '../src/payments/authorization/invoice.ts';
import type { SignedAuthorization } from '../src/payments/authorization/payment.ts';
import { REFUSAL_CODES } from '../src/payments/gate/refusalCodes.ts';
import type { PaymentRow } from '../src/store/payments/paymentRow.ts';
import { payments } from '../src/store/payments/payments.ts';
import {
  GAS,
  type PaidServer,
  type PaidServerOptions,
  PUBLIC_URL,
  startPaidServer,
} from './paidServer.ts';
import { PRICE, type TokenChain } from './tokenChain.ts';

export const NODE = '/api/v1/agent/node/pool:base:0x1';

/** A selling server that counts its handler's runs and reads its ledger. */
export interface PaidTestServer extends PaidServer {
  /** Returns how often the handler ran. */
  runs(): number;
  /** Default: GET of NODE. */
  buy(payment?: string, options?: AskOptions): Promise<Reply>;
  row(payment: SignedAuthorization): Promise<PaymentRow | undefined>;
}

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface AskOptions {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The header that carries the payment. */
  readonly as?: 'x-payment' | 'payment-signature';
  readonly signal?: AbortSignal;
}

/** Default: no rate limit per payer or for new payers, no delay after failed settlements, and sales never pause. */
export async function openPaidTestServer(options: PaidServerOptions): Promise<PaidTestServer> {
  let runs = 0;
  const make = options.answer ?? (async ({ path, query }) => ({ ...path, query: [...query] }));
  const server = await startPaidServer({
    ...options,
    answer: (request: RouteRequest) => {
      runs++;
      return make(request);
    },
    payments: {
      rateLimit: { perSecond: 0, burst: 0 },
      newPayers: { perSecond: 0, burst: 0 },
      gas: { ...GAS, waitSeconds: 0 },
      lossLimit: { payments: 1_000, seconds: 86_400 },
      ...options.payments,
    },
  });
  return {
    ...server,
    runs: () => runs,
    buy: (payment, { as = 'payment-signature', headers, ...asked } = {}) =>
      ask(server.url, {
        ...asked,
        headers: { ...headers, ...(payment !== undefined && { [as]: payment }) },
      }),
    row: ({ authorization: { from, nonce } }) => {
      const { chainId, asset } = options.chain.terms;
      const key = { chainId, asset, payer: from, nonce };
      // A found payment has only part of the row's fields. Tests that read it name the fields.
      return payments.find(options.store, key) as Promise<PaymentRow | undefined>;
    },
  };
}

/** Sends the path unchanged; `fetch` would normalize it. */
export function ask(
  url: string,
  { path = NODE, method = 'GET', headers = {}, signal }: Omit<AskOptions, 'as'> = {},
): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = {
      hostname,
      port,
      path,
      method,
      headers,
      agent: false,
      ...(signal && { signal }),
    };
    const request = http.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode, headers: got } = response;
        resolve({ status: statusCode!, headers: got, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

/** Encodes a payment as the wire format, with some parts changed. */
export function wire(
  { terms }: Pick<TokenChain, 'terms'>,
  { authorization, signature }: SignedAuthorization,
  changes: {
    readonly identifier?: unknown;
    readonly accepted?: object;
    readonly authorization?: object;
    readonly top?: object;
  } = {},
): object {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    x402Version: 2,
    accepted: { ...requirements(terms, value), ...changes.accepted },
    payload: {
      signature,
      authorization: {
        from,
        to,
        value: String(value),
        validAfter: String(validAfter),
        validBefore: String(validBefore),
        nonce,
        ...changes.authorization,
      },
    },
    ...(changes.identifier !== undefined && {
      extensions: { 'payment-identifier': { info: { required: false, id: changes.identifier } } },
    }),
    ...changes.top,
  };
}

export function header(...args: Parameters<typeof wire>): string {
  return base64(wire(...args));
}

export function base64(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');
}

/** Expects a 402 with everything that it must contain. */
export function expectInvoice(
  reply: Reply,
  code: string,
  {
    path = NODE,
    amount = PRICE,
    head = false,
    ofService = false,
    publicUrl = PUBLIC_URL,
  }: {
    path?: string;
    amount?: bigint;
    head?: boolean;
    ofService?: boolean;
    publicUrl?: string;
  } = {},
): void {
  expect({ status: reply.status, body: head ? '' : readError(reply) }).toEqual({
    status: 402,
    body: head ? '' : code,
  });
  // The documents list every code of the server itself; a facilitator service can return others.
  if (!ofService) expect(REFUSAL_CODES.map((known) => known.code)).toContain(code);
  const invoice = read(reply.headers['payment-required']);
  if (head) expect(reply.body.length).toBe(0);
  // The body contains everything in the header, and more if it does not fit there.
  else expect(JSON.parse(reply.body.toString())).toMatchObject(invoice);
  expect(invoice).toMatchObject({
    x402Version: 2,
    error: expect.stringMatching(/^[a-z0-9_]+$/),
    resource: { url: publicUrl + path },
    accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: String(amount) }],
  });
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['access-control-expose-headers']).toContain('PAYMENT-REQUIRED');
  expect(String(reply.headers['payment-required']).length).toBeLessThanOrEqual(2_700);
}

/** Expects a 409 for an identifier that belongs to another request: a problem document without an invoice. */
export function expectConflict(reply: Reply): void {
  expect(reply.status).toBe(409);
  expect(reply.headers['content-type']).toContain('problem+json');
  expect(reply.headers['payment-required']).toBeUndefined();
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(JSON.parse(reply.body.toString())).toMatchObject({
    status: 409,
    code: 'payment_identifier_conflict',
  });
}

/** Expects a 200 with its receipt. */
export function expectPaid(reply: Reply, payment: SignedAuthorization): void {
  expect({
    status: reply.status,
    error: reply.status === 200 ? undefined : reply.body.toString(),
  }).toEqual({
    status: 200,
    error: undefined,
  });
  expect(reply.headers['cache-control']).toBe('private, no-store');
  expect(read(reply.headers['payment-response'])).toEqual({
    success: true,
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    network: 'eip155:8453',
    payer: getAddress(payment.authorization.from),
  });
}

/** Decodes a payment header, which is base64 of JSON. */
export function read(value: string | string[] | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(value), 'base64').toString()) as Record<string, unknown>;
}

function readError(reply: Reply): unknown {
  try {
    return (JSON.parse(reply.body.toString()) as { error?: unknown }).error;
  } catch {
    return reply.body.toString();
  }
}

/** Returns what the recipient received during `work`. */
export async function earned<T>(
  chain: TokenChain,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly earned: bigint }> {
  const before = await chain.balance(chain.terms.payTo);
  const result = await work();
  return { result, earned: (await chain.balance(chain.terms.payTo)) - before };
}
