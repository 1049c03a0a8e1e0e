import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerBytes, createAnswerBytes, sendVariant } from './answerBytes.ts';
import { MAX_URL_LENGTH } from './bareServer.ts';
import { chooseEncoding } from './compression.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { Page, toJson } from './jsonText.ts';
import type { KeptAnswers } from './keptAnswers.ts';
import { toProblem } from './problem.ts';
import { problemMessage } from './problemMessage.ts';
import type { RateLimit } from './rateLimit.ts';
import type { Route, RouteRequest } from './route.ts';
import { readRouteRequest, requestKey } from './routeRequest.ts';

export interface RoutesDeps {
  readonly answers: KeptAnswers;
  readonly limit: RateLimit | undefined;
  /** Unix seconds. */
  readonly now: () => number;
  /** Called with what was answered as a bare 500. */
  readonly onError: (error: unknown) => void;
}

/** Answers a request, or returns false when it must take the long way through the framework. */
export type AnswerFirst = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers the routes: read the request, find or make the bytes, send them. The result does so before any routing or
 * hooks, where the text of the URL tells enough: it has a kept answer, or its path has no parameters.
 */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { answers, limit, now, onError }: RoutesDeps,
): AnswerFirst {
  for (const route of routes) {
    app.get(routerPath(route), { config: { access: route.access } }, async (request, reply) => {
      const pathValues = request.params as Record<string, string>;
      await sendAnswer(request, reply, await load(route, request.raw, pathValues));
    });
  }
  const fixed = new Map<string, Promise<AnswerBytes>>();
  const plain = new Map(
    routes.filter(({ path }) => !path.includes('{')).map((route) => [route.path, route]),
  );

  async function load(
    route: Route,
    request: IncomingMessage,
    pathValues: Readonly<Record<string, string>>,
  ): Promise<AnswerBytes> {
    const url = request.url!;
    const asked = readRouteRequest({ route, url, pathValues, now: now() });
    const make = () => makeBytes(route, asked);
    if (route.fixed) return loadFixed(requestKey(route, asked), make);
    const families = route.families?.(asked);
    return answers.load({
      // What is not kept need not be found again by other spellings.
      key: families === undefined ? url : requestKey(route, asked),
      url,
      families,
      maxAge: route.maxAge,
      async make() {
        // Whoever has it made pays for its size; who finds it kept does not.
        const charge = route.access === 'open' ? limit?.meter(request) : undefined;
        const bytes = await make();
        charge?.(bytes.length);
        return bytes;
      },
    });
  }

  function loadFixed(key: string, make: () => Promise<AnswerBytes>): Promise<AnswerBytes> {
    const known = fixed.get(key);
    if (known !== undefined) return known;
    const made = make();
    fixed.set(key, made);
    // What is asked for in vain is not kept.
    made.catch(() => fixed.delete(key));
    return made;
  }

  async function answer(
    route: Route,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    try {
      const bytes = await load(route, request, {});
      const encoding = encodingOf(request);
      const variant = bytes.ready(encoding) ?? (await bytes.load(encoding));
      endIfClosing(app, response);
      sendVariant(request, response, variant);
    } catch (error) {
      const { status, headers, body } = problemMessage(toProblem(error));
      if (status === 500) onError(error);
      endIfClosing(app, response);
      response.writeHead(status, {
        ...SECURITY_HEADERS,
        ...CORS_HEADERS[route.access],
        ...headers,
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    }
  }

  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const url = request.url ?? '';
    const kept = answers.find(url)?.ready(encodingOf(request));
    const route = kept === undefined ? plain.get(pathOf(url)) : undefined;
    if (kept === undefined && (route === undefined || url.length > MAX_URL_LENGTH)) return false;
    if (route?.access !== 'probe' && limit?.take(request) !== undefined) return false;
    if (kept !== undefined) sendVariant(request, response, kept);
    else void answer(route!, request, response);
    return true;
  };
}

async function makeBytes(route: Route, asked: RouteRequest): Promise<AnswerBytes> {
  const { access, maxAge, mediaType } = route;
  const answer = await route.answer(asked);
  const body = mediaType === undefined ? toJson(answer) : String(answer);
  const headers = answer instanceof Page ? linkTo(answer) : route.headers?.(asked);
  return createAnswerBytes({
    body,
    access,
    maxAge,
    ...(mediaType && { mediaType }),
    ...(headers && { headers }),
  });
}

function linkTo({ next }: Page): Record<string, string> | undefined {
  return next === null ? undefined : { link: `<${next}>; rel="next"` };
}

/** As the router writes it: /v1/vaults/:slug. */
export function routerPath({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Sends bytes in the encoding asked for, past the framework: its hooks have nothing to add. */
export async function sendAnswer(
  { raw, server }: FastifyRequest,
  reply: FastifyReply,
  answer: AnswerBytes,
): Promise<void> {
  const variant = await answer.load(encodingOf(raw));
  reply.hijack();
  endIfClosing(server, reply.raw);
  sendVariant(raw, reply.raw, variant);
}

/** A server that closes would else wait for the client to hang up. */
export function endIfClosing({ server }: FastifyInstance, response: ServerResponse): void {
  if (!server.listening) response.shouldKeepAlive = false;
}

function encodingOf({ headers }: IncomingMessage) {
  const value = headers['accept-encoding'];
  return chooseEncoding(Array.isArray(value) ? value.join(',') : value);
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
