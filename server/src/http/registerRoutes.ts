import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FreeReads } from '../store/freeReads.ts';
import { type AnswerBytes, createAnswerBytes, sendVariant, type Variant } from './answerBytes.ts';
import { chooseEncoding } from './compression.ts';
import { Headed, Page, toJson } from './jsonText.ts';
import type { RateLimit } from './rateLimit.ts';
import type { ResponseCache } from './responseCache.ts';
import type { Route, RouteRequest } from './route.ts';
import { readRouteRequest, requestKey } from './routeRequest.ts';

export interface RoutesDeps {
  readonly cache: ResponseCache;
  readonly limit: RateLimit | undefined;
  /** Unix seconds. */
  readonly now: () => number;
  /** Counts the stale responses. */
  readonly reads?: Pick<FreeReads, 'staleCount' | 'knownAt'> | undefined;
}

/** Serves the routes: reads the request, finds or creates the bytes, and sends them. What is thrown becomes a problem. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { cache, limit, now, reads }: RoutesDeps,
): void {
  for (const route of routes) {
    app.get(routerPath(route), { config: configOf(route) }, (request, reply) => {
      // Found by the text of the URL, a cached response is sent without reading its parameters.
      const cached = cache.find(request.raw.url!)?.ready(encodingOf(request.raw));
      if (cached !== undefined) return sendOnce(request, reply, cached);
      return route.stream === undefined
        ? answer(route, request, reply)
        : stream(route, request, reply);
    });
  }
  const fixed = new Map<string, Promise<AnswerBytes>>();

  async function answer(route: Route, request: FastifyRequest, reply: FastifyReply) {
    await sendAnswer(request, reply, await load(route, request));
  }

  async function stream(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await route.stream!(read(route, request), request.raw, reply.raw);
    // Not earlier: what it throws before its first byte is sent as a problem.
    reply.hijack();
  }

  function read(route: Route, { raw, params }: FastifyRequest): RouteRequest {
    const pathValues = params as Readonly<Record<string, string>>;
    return readRouteRequest({ route, url: raw.url!, pathValues, now: now() });
  }

  async function load(route: Route, request: FastifyRequest): Promise<AnswerBytes> {
    const url = request.raw.url!;
    const asked = read(route, request);
    const make = () => makeBytes(route, asked, reads);
    if (route.fixed) return loadFixed(requestKey(route, asked), make);
    const families = route.families?.(asked);
    return cache.load({
      // An uncached response does not need to be found by other URL forms.
      key: families === undefined ? url : requestKey(route, asked),
      url,
      families,
      maxAge: route.maxAge,
      async make() {
        // The size counts for the client that causes a response to be created, not for a cached one.
        const charge = route.access === 'open' ? limit?.meter(request.raw) : undefined;
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

/** Sends bytes in the requested encoding. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AnswerBytes,
): Promise<void> {
  const encoding = encodingOf(request.raw);
  sendOnce(request, reply, answer.ready(encoding) ?? (await answer.load(encoding)));
}

/** Sends bytes whose headers are complete: the hooks of the framework have nothing to add. */
function sendOnce({ raw, server }: FastifyRequest, reply: FastifyReply, variant: Variant): void {
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
