import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify';
import { isTraced } from '../runtime/traced.ts';
import { answerClientError } from './clientError.ts';
import { type ConnectionLimits, limitConnections } from './connections.ts';
import { exchangeOf } from './exchange.ts';
import { createTurns } from './pipelining.ts';
import { BadParameters, noSuch, type Problem, problem, toProblem } from './problem.ts';
import { problemMessage } from './problemMessage.ts';
import type { Access } from './route.ts';
import { traceRequest } from './traceRequest.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the matched route; see route.ts. */
    readonly access?: Access;
    /** Path of the route in OpenAPI notation. */
    readonly route?: string;
    /** Whether the route returns a page. */
    readonly isPage?: boolean;
  }
}

/** Request line and headers together; above it, the response is 431. */
export const MAX_HEADER_BYTES = 16_384;
/** The URL alone; above it, the response is 414. */
export const MAX_URL_LENGTH = 8_192;

const HTTP_OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEADER_BYTES,
  // A request without Host is rejected by `refuseOdd`, with its own message.
  requireHostHeader: false,
  // Slow senders of headers are cut off; slow readers of responses are not, see connections.ts.
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
};

/** Delays each 429, so that a client that retries immediately is slowed down. */
const REFUSAL_MS = 100;
/** Maximum number of delayed responses; above it, they are sent immediately. */
const MAX_REFUSALS = 1_000;

/** Called with each error that became a 500, and the id of its request. */
export type OnError = (error: unknown, requestId?: string) => void;

export interface HttpServerDeps {
  readonly onError: OnError;
  /** Called with every request first; without it, requests have no id, and are neither measured nor traced. */
  readonly observe?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether a trusted proxy sent the request, whose trace then continues. Default: none did. */
  readonly isProxied?: (request: IncomingMessage) => boolean;
  /** Checks every request first, even one whose URL cannot be parsed; a problem ends it. */
  readonly guard: (request: FastifyRequest, reply: FastifyReply) => Problem | undefined;
  readonly connections?: ConnectionLimits | undefined;
  /** Handles a request that matches no route; false: a problem is sent. */
  readonly answerUnknown?: (request: FastifyRequest, reply: FastifyReply) => boolean;
  /** Sends a problem of a matched route in another format; false: it is sent as JSON. */
  readonly answerProblem?: (
    request: FastifyRequest,
    reply: FastifyReply,
    problem: Problem,
  ) => boolean;
}

/** Creates the common part of the public and the admin server: errors as problems, no logs per request. */
export function createHttpServer(deps: HttpServerDeps): FastifyInstance {
  const { onError, observe, isProxied = () => false, guard, connections } = deps;
  const { answerUnknown, answerProblem } = deps;
  function answerError(error: FastifyError, reply: FastifyReply, request?: FastifyRequest): void {
    const answer = toProblem(error);
    if (answer.status === 500) onError(error, exchangeOf(reply.raw)?.id);
    if (request !== undefined && answerProblem?.(request, reply, answer) === true) return;
    sendProblem(reply, answer);
  }
  const refuse = createRefusals();
  const takeTurn = createTurns(connections?.counts);
  const app = fastify({
    logger: false,
    bodyLimit: 16_384,
    serverFactory: (handle) =>
      createServer(HTTP_OPTIONS, (request, response) =>
        takeTurn(request, response, () => {
          observe?.(request, response);
          handle(request, response);
        }),
      ),
    // A request that arrives while the server closes is the last on its connection, and gets a response.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    clientErrorHandler: answerClientError,
    frameworkErrors(error, request, reply) {
      const refusal = guard(request, reply);
      if (refusal === undefined) answerError(error, reply);
      else refuse(reply, refusal);
    },
  });
  const { server } = app;
  limitConnections(server, connections);
  // Fastify closes a server from a factory only if it listened itself, and this one can take over a port.
  app.addHook('preClose', async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  });
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const exchange = exchangeOf(reply.raw);
    if (exchange === undefined || !isTraced()) return done();
    traceRequest(raw, reply.raw, exchange, { isTrusted: isProxied(raw), handle: done });
  });
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = guard(request, reply) ?? refuseOdd(request);
    if (refusal === undefined) done();
    else refuse(reply, refusal);
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!server.listening) reply.raw.shouldKeepAlive = false;
    done(null, payload);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, reply, request));
  app.setNotFoundHandler((request, reply) => {
    if (answerUnknown?.(request, reply) !== true) sendProblem(reply, problem(404, noSuch('route')));
  });
  return app;
}

function createRefusals(): typeof sendProblem {
  let waiting = 0;
  return (reply, refusal) => {
    if (refusal.status !== 429 || waiting >= MAX_REFUSALS) return sendProblem(reply, refusal);
    waiting++;
    setTimeout(() => {
      waiting--;
      sendProblem(reply, refusal);
    }, REFUSAL_MS);
  };
}

const NO_HOST = new BadParameters([{ parameter: 'Host', reason: 'is missing; HTTP/1.1 needs it' }]);

function refuseOdd({ url, raw }: FastifyRequest): Problem | undefined {
  if (url.length > MAX_URL_LENGTH) {
    return problem(414, `the URL has more than ${MAX_URL_LENGTH} characters; send a shorter one`);
  }
  if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
    return toProblem(NO_HOST);
  }
  return undefined;
}

export function sendProblem(reply: FastifyReply, answer: Problem): void {
  const { status, headers, body } = problemMessage(answer);
  reply.code(status).headers(headers).send(body);
}
