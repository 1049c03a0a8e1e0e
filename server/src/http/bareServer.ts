import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify';
import { answerClientError } from './clientError.ts';
import { BadParameters, type Problem, problem, toProblem } from './problem.ts';
import { problemMessage } from './problemMessage.ts';
import type { Access } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the route that was found; see route.ts. */
    readonly access?: Access;
  }
}

/** Request line and headers together; past it the answer is 431. */
const MAX_HEADER_BYTES = 16_384;
/** A URL alone; past it the answer is 414. */
export const MAX_URL_LENGTH = 8_192;

/** How long a client that asks too often waits to be told: one that asks again at once, whatever the answer, is slowed. */
const REFUSAL_MS = 100;
/** Refusals that wait; past it they are sent at once. */
const MOST_REFUSALS = 1_000;

/** Open at once; past it those that rest make room. */
const MOST_CONNECTIONS = 20_000;

export interface BareServerDeps {
  /** Called with what was answered as a bare 500. */
  readonly onError: (error: unknown) => void;
  /** Looks at every request first, also at one whose URL cannot be read; a problem ends it. */
  readonly guard: (request: FastifyRequest, reply: FastifyReply) => Problem | undefined;
}

/** What the public and the admin server have in common: problems for errors, no logs per request. */
export function createBareServer({ onError, guard }: BareServerDeps): FastifyInstance {
  function answerError(error: FastifyError, reply: FastifyReply): void {
    const answer = toProblem(error);
    if (answer.status === 500) onError(error);
    sendProblem(reply, answer);
  }
  const refuse = createRefusals();
  const app = fastify({
    logger: false,
    bodyLimit: 16_384,
    // A request without Host is refused by `refuseOdd`, in our words.
    http: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    // Slow senders of headers are cut off; answers have no such limit.
    requestTimeout: 10_000,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    clientErrorHandler: answerClientError,
    frameworkErrors(error, request, reply) {
      const refusal = guard(request, reply);
      if (refusal === undefined) answerError(error, reply);
      else refuse(reply, refusal);
    },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  // Whoever is turned away finds room on the next attempt; clients open a closed connection again by themselves.
  app.server.on('drop', () => app.server.closeIdleConnections());
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = guard(request, reply) ?? refuseOdd(request);
    if (refusal === undefined) done();
    else refuse(reply, refusal);
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => answerError(error, reply));
  app.setNotFoundHandler((_request, reply) => {
    sendProblem(reply, problem(404, 'there is no such route'));
  });
  return app;
}

function createRefusals(): typeof sendProblem {
  let waiting = 0;
  return (reply, refusal) => {
    if (refusal.status !== 429 || waiting >= MOST_REFUSALS) return sendProblem(reply, refusal);
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
