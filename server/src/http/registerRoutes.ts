import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FreeReads } from '../store/freeReads.ts';
import { type AnswerBytes, createAnswerBytes, sendVariant } from './answerBytes.ts';
import { MAX_URL_LENGTH, type OnError } from './bareServer.ts';
import { chooseEncoding } from './compression.ts';
import { exchangeOf, requestIdHeader } from './exchange.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { Headed, Page, toJson } from './jsonText.ts';
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
  /** Called with each error that became a 500. */
  readonly onError: OnError;
  /** Counts the stale responses. */
  readonly reads?: Pick<FreeReads, 'staleCount' | 'knownAt'> | undefined;
}

/** Responds to a request, or returns false if the framework must handle it. */
export type AnswerFirst = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Serves the routes: reads the request, finds or creates the bytes, and sends them. Returns a function that does so
 * before routing and hooks, if the URL text is enough: it has a cached response, or its path has no parameters.
 */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { answers, limit, now, onError, reads }: RoutesDeps,
): AnswerFirst {
  for (const route of routes) {
    app.get(routerPath(route), { config: configOf(route) }, async (request, reply) => {
      const pathValues = request.params as Record<string, string>;
      if (route.stream !== undefined) {
        reply.hijack();
        await answer(route, request.raw, reply.raw, pathValues);
        return;
      }
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
    const make = () => makeBytes(route, asked, reads);
    if (route.fixed) return loadFixed(requestKey(route, asked), make);
    const families = route.families?.(asked);
    return answers.load({
      // An uncached response does not need to be found by other URL forms.
      key: families === undefined ? url : requestKey(route, asked),
      url,
      families,
      maxAge: route.maxAge,
      async make() {
        // The size counts for the client that causes a response to be created, not for a cached one.
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
    // Error responses are not cached.
    made.catch(() => fixed.delete(key));
    return made;
  }

  async function answer(
    route: Route,
    request: IncomingMessage,
    response: ServerResponse,
    pathValues: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const exchange = exchangeOf(response);
    if (exchange !== undefined) exchange.route = route.path;
    try {
      if (route.stream !== undefined) {
        const asked = readRouteRequest({ route, url: request.url!, pathValues, now: now() });
        await route.stream(asked, request, response);
        return;
      }
      const bytes = await load(route, request, {});
      const encoding = encodingOf(request);
      const variant = bytes.ready(encoding) ?? (await bytes.load(encoding));
      endIfClosing(app, response);
      sendVariant(request, response, variant);
    } catch (error) {
      const { status, headers, body } = problemMessage(toProblem(error));
      if (status === 500) onError(error, exchange?.id);
      endIfClosing(app, response);
      response.writeHead(status, {
        ...SECURITY_HEADERS,
        ...CORS_HEADERS[route.access],
        ...requestIdHeader(response),
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

async function makeBytes(
  route: Route,
  asked: RouteRequest,
  reads: RoutesDeps['reads'],
): Promise<AnswerBytes> {
  const { access, maxAge, mediaType } = route;
  const before = reads?.staleCount();
  const answer = await route.answer(asked);
  // Concurrent requests may have read stale data: then the age is sent although it is not needed.
  const isStale = !route.fixed && reads?.staleCount() !== before;
  const body = mediaType === undefined ? toJson(answer) : String(answer);
  const headers = headersOf(answer) ?? route.headers?.(asked);
  return createAnswerBytes({
    body,
    access,
    maxAge,
    route: route.path,
    ...(mediaType && { mediaType }),
    ...(headers && { headers }),
    ...(isStale && { asOf: reads!.knownAt() }),
  });
}

function headersOf(answer: unknown): Readonly<Record<string, string>> | undefined {
  if (answer instanceof Headed) return { ...headersOf(answer.body), ...answer.headers };
  return answer instanceof Page ? linkTo(answer) : undefined;
}

function linkTo({ next }: Page): Record<string, string> | undefined {
  return next === null ? undefined : { link: `<${next}>; rel="next"` };
}

/** The route in the router. */
export function configOf({ access, path, mediaType }: Route) {
  return { access, route: path, isPage: mediaType === 'text/html' };
}

/** In the router's notation: /v1/vaults/:slug. */
export function routerPath({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Sends bytes in the requested encoding without the framework, whose hooks have nothing to add. */
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

/** A closing server would otherwise wait for the client to disconnect. */
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
