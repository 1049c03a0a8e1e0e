import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { PaymentsConfig } from '../../config/config.ts';
import { BoundedMap } from '../../domain/boundedMap.ts';
import { isLoopbackHost } from '../../domain/loopback.ts';
import type { Gate } from '../../payments/gate/gate.ts';
import type { GateAnswer, PaidAnswer } from '../../payments/gate/gateTypes.ts';
import type { PaymentAnswer } from '../../store/payments/paymentRow.ts';
import type { OnError } from '../bareServer.ts';
import { exchangeOf } from '../exchange.ts';
import { SECURITY_HEADERS } from '../headers.ts';
import { BadParameters, noSuch, type Problem, problem, toProblem } from '../problem.ts';
import { problemMessage } from '../problemMessage.ts';
import type { RateLimit } from '../rateLimit.ts';
import { configOf, endIfClosing, routerPath } from '../registerRoutes.ts';
import { readRouteRequest } from '../routeRequest.ts';
import { createBazaar } from './bazaar.ts';
import { type Headers, PAID_CORS_HEADERS, preparedHeaders, withRequestId } from './paidHeaders.ts';
import type { PaidRoute } from './paidRoute.ts';
import { canonicalResource, MOST_RESOURCE_LENGTH } from './resource.ts';

export interface PaidDeps {
  readonly gate: Gate;
  readonly prices: PaymentsConfig['prices'];
  /** Limits requests without payment; absent: none. */
  readonly limit: RateLimit | undefined;
  /** Returns one key per client address. */
  readonly clientOf: (request: IncomingMessage) => string;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: OnError;
}

interface Quoted {
  readonly route: string;
  readonly headers: (requestId: string | undefined) => string[];
  readonly body: Uint8Array;
}

const FIXED: Headers = { ...SECURITY_HEADERS, ...PAID_CORS_HEADERS };
const TOO_LONG = problem(
  414,
  `path and query of a paid request exceed ${MOST_RESOURCE_LENGTH} characters; send shorter ones`,
);
/** URL forms whose 402 is cached by their text. */
const MOST_QUOTED = 2_000;

/**
 * Sells the routes through the gate. Returns a function that responds to requests without payment before routing,
 * once their URL was quoted.
 */
export function registerPaidRoutes(
  app: FastifyInstance,
  routes: readonly PaidRoute[],
  deps: PaidDeps,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const quoted = new BoundedMap<string, Quoted>(MOST_QUOTED);
  for (const route of routes) {
    const bazaarOf = createBazaar(route);
    app.get(routerPath(route), { config: configOf(route) }, async (request, reply) => {
      reply.hijack();
      const { raw, url } = request;
      endIfClosing(app, reply.raw);
      const pathValues = request.params as Record<string, string>;
      const wait = deps.limit?.take(raw);
      if (wait !== undefined) {
        const words = `rate limit for requests without payment exceeded; retry after ${wait} s`;
        return sendProblem(reply.raw, { ...problem(429, words), retryAfterSeconds: wait });
      }
      try {
        // A path without the required name matches no route.
        if (Object.values(pathValues).includes('')) {
          return sendProblem(reply.raw, problem(404, noSuch('route')));
        }
        const resource = canonicalResource(route, url, pathValues);
        if (resource.length > MOST_RESOURCE_LENGTH) return sendProblem(reply.raw, TOO_LONG);
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
        if (answer.kind === 'quote' && payment === undefined) {
          remember(placeOf(raw), route.path, answer);
        }
        if (answer.kind === 'problem' && answer.status === 400) throw undecodable(raw);
        send(reply.raw, answer);
      } catch (error) {
        const answer = toProblem(error);
        if (answer.status === 500) deps.onError(error, exchangeOf(reply.raw)?.id);
        sendProblem(reply.raw, answer);
      }
    });
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

  function remember(
    place: string,
    route: string,
    { quote }: Extract<GateAnswer, { kind: 'quote' }>,
  ): void {
    const headers = preparedHeaders(quoteHeaders(quote));
    quoted.set(place, { route, headers, body: quote.body });
  }

  return (request, response) => {
    const known = quoted.get(placeOf(request));
    if (known === undefined || (request.method !== 'GET' && request.method !== 'HEAD'))
      return false;
    if (request.headers['x-payment'] !== undefined) return false;
    if (request.headers['payment-signature'] !== undefined) return false;
    if (!deps.gate.isSelling()) return false;
    // The slow path computes how long to wait.
    if (deps.limit?.take(request) !== undefined) return false;
    const exchange = exchangeOf(response);
    if (exchange !== undefined) exchange.route = known.route;
    response.writeHead(402, known.headers(exchange?.id));
    response.end(request.method === 'HEAD' ? undefined : known.body);
    return true;
  };
}

/** An invoice depends on the URL, and on the local machine also on the host name of the request. */
function placeOf({ url = '', headers: { host = '' } }: IncomingMessage): string {
  return isLoopbackHost(host.replace(/:\d+$/, '')) ? `${host} ${url}` : url;
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

function send(response: ServerResponse, answer: GateAnswer): void {
  if (answer.kind === 'paid') sendPaid(response, answer);
  else if (answer.kind === 'quote') sendQuote(response, answer);
  else if (answer.kind === 'problem') {
    const { status, code, detail, retryAfterSeconds } = answer;
    sendProblem(response, {
      ...problem(status, detail),
      ...(code !== undefined && { code }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  } else write(response, answer.answer.status, answer.answer.body, answer.answer.headers);
}

function sendPaid(response: ServerResponse, paid: PaidAnswer): void {
  // The client disconnected before the response was ready.
  if (response.destroyed) {
    paid.lost();
    return;
  }
  response.once('finish', paid.delivered);
  // After `finish`, this has no effect.
  response.once('close', paid.lost);
  const { status, headers, body } = paid.answer;
  write(response, status, body, { ...headers, 'payment-response': paid.receipt });
}

function sendQuote(
  response: ServerResponse,
  { quote, receipt }: Extract<GateAnswer, { kind: 'quote' }>,
): void {
  write(response, 402, quote.body, {
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

function sendProblem(response: ServerResponse, answer: Problem): void {
  const { status, headers, body } = problemMessage(answer);
  write(response, status, body, headers);
}

function write(response: ServerResponse, status: number, body: Uint8Array, headers: Headers): void {
  const sent = withRequestId({ ...FIXED, ...headers }, exchangeOf(response)?.id);
  response.writeHead(status, sent as Record<string, string>);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
