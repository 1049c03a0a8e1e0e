import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { answerClientError } from './clientError.ts';
import { type Problem, problem, toProblem } from './problem.ts';
import { problemMessage } from './problemMessage.ts';

/** Request line and headers together; past it the answer is 431. */
const MAX_HEADER_BYTES = 16_384;
/** A URL alone; past it the answer is 414. */
export const MAX_URL_LENGTH = 8_192;

/** What the public and the admin server have in common: problems for errors, no logs per request. */
export function createBareServer(onError: (error: unknown) => void): FastifyInstance {
  function answerError(error: FastifyError, reply: FastifyReply): void {
    const answer = toProblem(error);
    if (answer.status === 500) onError(error);
    sendProblem(reply, answer);
  }
  const app = fastify({
    logger: false,
    bodyLimit: 16_384,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    // Slow senders of headers are cut off; answers have no such limit.
    requestTimeout: 10_000,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, _request, reply) => answerError(error, reply),
  });
  app.setErrorHandler((error: FastifyError, _request, reply) => answerError(error, reply));
  app.setNotFoundHandler((_request, reply) => {
    sendProblem(reply, problem(404, 'there is no such route'));
  });
  return app;
}

export function sendProblem(reply: FastifyReply, answer: Problem, members: object = {}): void {
  const { status, headers, body } = problemMessage({ ...answer, ...members });
  reply.code(status).headers(headers).send(body);
}
