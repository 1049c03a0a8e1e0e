import { BadParameters, type ParameterError } from './problem.ts';
import type { Route, RouteRequest } from './route.ts';

/** Reads the parts of a request that its route declares, once; `pathValues` are already decoded. */
export function readRouteRequest(options: {
  readonly route: Route;
  readonly url: string;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly now: number;
}): RouteRequest {
  const { route, url, pathValues, now } = options;
  const errors: ParameterError[] = [];
  for (const [parameter, value] of Object.entries(pathValues)) {
    // The database rejects null characters.
    if (value.includes('\0'))
      errors.push({ parameter, reason: 'must not contain a null character' });
  }
  const query = readQuery(route, url, errors);
  if (errors.length > 0) throw new BadParameters(errors);
  return { path: { ...pathValues }, query, now };
}

function readQuery(route: Route, url: string, errors: ParameterError[]): Map<string, string[]> {
  const query = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start === -1) return query;
  for (const part of url.slice(start + 1).split('&')) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    if (name === undefined || !hasQueryName(route, name)) continue;
    const value = decode(equals === -1 ? '' : part.slice(equals + 1));
    if (value === undefined) {
      errors.push({ parameter: name, reason: 'is not percent-encoded UTF-8' });
      continue;
    }
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

function hasQueryName({ parameters }: Route, name: string): boolean {
  return parameters.some((parameter) => parameter.in === 'query' && parameter.name === name);
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** The canonical form of a request: order, encoding, and unknown parameters do not matter. */
export function requestKey(route: Route, { path, query }: RouteRequest): string {
  let key = route.path;
  for (const value of Object.values(path)) key += `&${encodeURIComponent(value)}`;
  key += '?';
  // Repeated values of a name keep their order.
  for (const name of [...query.keys()].sort()) {
    for (const value of query.get(name)!) key += `&${name}=${encodeURIComponent(value)}`;
  }
  return key;
}
