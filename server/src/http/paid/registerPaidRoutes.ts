import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PaymentsConfig } from '../../config/config.ts';
import { BoundedMap } from '../../domain/boundedMap.ts';
import { isLoopbackHost } from '../../domain/loopback.ts';
import type { Gate } from '../../payments/gate/gate.ts';
import type { GateAnswer, PaidAnswer } from '../../payments/gate/gateTypes.ts';
import type { PaymentAnswer } from '../../store/payments/paymentRow.ts';
import { exchangeOf } from '../exchange.ts';
import { SECURITY_HEADERS } from '../headers.ts';
import { sendProblem } from '../httpServer.ts';
import { BadParameters, noSuch, problem, toProblem } from '../problem.ts';
import { problemMessage } from '../problemMessage.ts';
import type { RateLimit } from '../rateLimit.ts';
import { configOf, endIfClosing, routerPath } from '../registerRoutes.ts';
import { readRouteRequest } from '../routeRequest.ts';
import { createBazaar } from './bazaar.ts';
import { type Headers, PAID_CORS_HEADERS, preparedHeaders, withRequestId } from './paidHeaders.ts';
import type { PaidRoute } from './paidRoute.ts';
import { canonicalResource, MAX_RESOURCE_LENGTH } from './resource.ts';

export interface PaidDeps {
  readonly gate: Gate;
  readonly prices: PaymentsConfig['prices'];
  /** Limits requests without payment; absent: none. */
  readonly limit: RateLimit | undefined;
  /** Returns one key per client address. */
  readonly clientOf: (request: IncomingMessage) => string;
  /** Unix seconds. */
  readonly now: () => number;
}

interface Quoted {
  readonly headers: (requestId: string | undefined) => string[];
  readonly body: Uint8Array;
}

const FIXED: Headers = { ...SECURITY_HEADERS, ...PAID_CORS_HEADERS };
const TOO_LONG = problem(
  414,
  `path and query of a paid request exceed ${MAX_RESOURCE_LENGTH} characters; send shorter ones`,
);
/** URL forms whose 402 is cached by their text. */
const MAX_QUOTED = 2_000;

/** Sells the routes through the gate. What is thrown becomes a problem. */
export function registerPaidRoutes(
  app: FastifyInstance,
  routes: readonly PaidRoute[],
  deps: PaidDeps,
): void {
  const quoted = new BoundedMap<string, Quoted>(MAX_QUOTED);
  for (const route of routes) {
    const bazaarOf = createBazaar(route);
    app.get(routerPath(route), { config: configOf(route) }, (request, reply) => {
      endIfClosing(app, reply.raw);
      const wait = deps.limit?.take(request.raw);
      if (wait !== undefined) {
        const words = `rate limit for requests without payment exceeded; retry after ${wait} s`;
        return sendProblem(reply, { ...problem(429, words), retryAfterSeconds: wait });
      }
      const known = quoted.get(placeOf(request.raw));
      if (known !== undefined && !hasPayment(request.raw) && deps.gate.isSelling()) {
        return sendQuoted(reply, known);
      }
      return sell(route, bazaarOf, request, reply);
    });
  }

  async function sell(
    route: PaidRoute,
    bazaarOf: ReturnType<typeof createBazaar>,
    { raw, url, params }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const pathValues = params as Record<string, string>;
    // A path without the required name matches no route.
    if (Object.values(pathValues).includes('')) {
      return sendProblem(reply, problem(404, noSuch('route')));
    }
    const resource = canonicalResource(route, url, pathValues);
    if (resource.length > MAX_RESOURCE_LENGTH) return sendProblem(reply, TOO_LONG);
    const payment = paymentHeader(raw);
    if (payment === CONFLICT) {
      const reason = 'differs from PAYMENT-SIGNATURE; send one, or the same value in both';
      throw new BadParameters([{ parameter: 'X-PAYMENT', reason }]);
    }
    const calls =
      route.calls?.of(readRouteRequest({ route, url, pathValues, now: deps.now() })) ?? 1;
    const answer = await deps.gate.handle({
      method: raw.method === 'HEAD' ? 'HEAD' : 'GET',
      resource,
      host: raw.headers.host,
      route: route.price,
      description: route.summary,
      bazaar: bazaarOf(pathValues),
      price: deps.prices[route.price],
      calls,
      client: deps.clientOf(raw),
      payment,
      answer: () => makeAnswer(route, { url, pathValues, isHead: raw.method === 'HEAD' }),
    });
    // A redelivered response is charged only once.
    if (answer.kind === 'paid' && answer.first) deps.limit?.giveBack(raw);
    if (answer.kind === 'quote' && payment === undefined) remember(placeOf(raw), answer);
    if (answer.kind === 'problem' && answer.status === 400) throw undecodable(raw);
    send(reply, answer);
  }

  async function makeAnswer(
    route: PaidRoute,
    asked: {
      readonly url: string;
      readonly pathValues: Readonly<Record<string, string>>;
      readonly isHead: boolean;
    },
  ): Promise<PaymentAnswer> {
    try {
      const body = await route.answer(readRouteRequest({ route, ...asked, now: deps.now() }));
      const bytes = Buffer.from(JSON.stringify(body));
      return {
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(bytes.length),
          'cache-control': 'private, no-store',
        },
        body: asked.isHead ? new Uint8Array() : bytes,
      };
    } catch (error) {
      const answer = toProblem(error);
      if (answer.status === 500) throw error;
      return problemMessage(answer);
    }
  }

  function remember(place: string, { quote }: Extract<GateAnswer, { kind: 'quote' }>): void {
    quoted.set(place, { headers: preparedHeaders(quoteHeaders(quote)), body: quote.body });
  }
}

function sendQuoted(reply: FastifyReply, { headers, body }: Quoted): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(402, headers(exchangeOf(raw)?.id));
  raw.end(raw.req.method === 'HEAD' ? undefined : body);
}

/** An invoice depends on the URL, and on the local machine also on the host name of the request. */
function placeOf({ url = '', headers: { host = '' } }: IncomingMessage): string {
  return isLoopbackHost(host.replace(/:\d+$/, '')) ? `${host} ${url}` : url;
}

function hasPayment({ headers }: IncomingMessage): boolean {
  return headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined;
}

const CONFLICT = Symbol('two payment headers');

function paymentHeader({ headers }: IncomingMessage): string | undefined | typeof CONFLICT {
  // Node joins repeated headers; the result is not base64 and so rejected.
  const own = headers['payment-signature'] as string | undefined;
  const older = headers['x-payment'] as string | undefined;
  if (own !== undefined && older !== undefined && own !== older) return CONFLICT;
  return own ?? older;
}

/** The only 400 of the gate. */
function undecodable({ headers }: IncomingMessage): BadParameters {
  const parameter = headers['payment-signature'] === undefined ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
  const reason = 'must be base64 of a JSON object; sign the invoice again';
  return new BadParameters([{ parameter, reason }]);
}

function send(reply: FastifyReply, answer: GateAnswer): void {
  if (answer.kind === 'paid') sendPaid(reply, answer);
  else if (answer.kind === 'quote') sendQuote(reply, answer);
  else if (answer.kind === 'problem') {
    const { status, code, detail, retryAfterSeconds } = answer;
    sendProblem(reply, {
      ...problem(status, detail),
      ...(code !== undefined && { code }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  } else write(reply, answer.answer.status, answer.answer.body, answer.answer.headers);
}

function sendPaid(reply: FastifyReply, paid: PaidAnswer): void {
  const response = reply.raw;
  // The client disconnected before the response was ready.
  if (response.destroyed) {
    reply.hijack();
    paid.lost();
    return;
  }
  response.once('finish', paid.delivered);
  // After `finish`, this has no effect.
  response.once('close', paid.lost);
  const { status, headers, body } = paid.answer;
  write(reply, status, body, { ...headers, 'payment-response': paid.receipt });
}

function sendQuote(
  reply: FastifyReply,
  { quote, receipt }: Extract<GateAnswer, { kind: 'quote' }>,
): void {
  write(reply, 402, quote.body, {
    ...quoteHeaders(quote),
    ...(receipt !== undefined && { 'payment-response': receipt }),
  });
}

function quoteHeaders({ header, body }: { header: string; body: Uint8Array }): Headers {
  return {
    ...FIXED,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'payment-required': header,
  };
}

/** Sends bytes and headers as the ledger stored them. */
function write(reply: FastifyReply, status: number, body: Uint8Array, headers: Headers): void {
  reply.hijack();
  const { raw } = reply;
  const sent = withRequestId({ ...FIXED, ...headers }, exchangeOf(raw)?.id);
  raw.writeHead(status, sent as Record<string, string>);
  raw.end(raw.req.method === 'HEAD' ? undefined : body);
}
