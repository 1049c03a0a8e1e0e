import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerBytes, createAnswerBytes, sendVariant } from './answerBytes.ts';
import { chooseEncoding } from './compression.ts';
import type { KeptAnswers } from './keptAnswers.ts';
import type { RateLimit } from './rateLimit.ts';
import type { Route, RouteRequest } from './route.ts';
import { readRouteRequest, requestKey } from './routeRequest.ts';

export interface RoutesDeps {
  readonly answers: KeptAnswers;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Answers the routes: read the request, find or make the bytes, send them. Problems are the error handler's. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { answers, now }: RoutesDeps,
): void {
  for (const route of routes) {
    app.get(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
      const pathValues = request.params as Record<string, string>;
      const { url } = request;
      const asked = readRouteRequest({ route, url, pathValues, now: now() });
      const answer = await answers.load({
        key: requestKey(route, asked),
        url,
        families: route.families?.(asked),
        maxAge: route.maxAge,
        make: () => makeBytes(route, asked),
      });
      await sendAnswer(request, reply, answer);
    });
  }
}

async function makeBytes(route: Route, asked: RouteRequest) {
  const body = Buffer.from(JSON.stringify(await route.answer(asked)));
  return createAnswerBytes({ body, maxAge: route.maxAge });
}

/** Sends bytes in the encoding asked for, past the framework: its hooks have nothing to add. */
export async function sendAnswer(
  { raw, server }: FastifyRequest,
  reply: FastifyReply,
  answer: AnswerBytes,
): Promise<void> {
  const variant = await answer.load(chooseEncoding(acceptOf(raw)));
  reply.hijack();
  // A server that closes would else wait for the client to hang up.
  if (!server.server.listening) reply.raw.shouldKeepAlive = false;
  sendVariant(raw, reply.raw, variant);
}

function acceptOf(request: IncomingMessage): string | undefined {
  const value = request.headers['accept-encoding'];
  return Array.isArray(value) ? value.join(',') : value;
}

/**
 * Sends a kept answer before any routing, parsing or hooks: its URL is known by its text alone. Returns false when
 * there is none, or one too many was asked for, and the request must take the long way.
 */
export function sendKept(options: {
  readonly answers: KeptAnswers;
  readonly limit: RateLimit | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}): boolean {
  const { answers, limit, request, response } = options;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const variant = answers.find(request.url ?? '')?.ready(chooseEncoding(acceptOf(request)));
  if (variant === undefined || limit?.take(request) !== undefined) return false;
  sendVariant(request, response, variant);
  return true;
}
