import { failure } from '../wire/errors.ts';
import type { Client } from './client.ts';

/** Returns a function that builds the URLs of a route from its path and query parameters. */
export function createRoute(
  path: string,
  query: string,
): (client: Pick<Client, 'url'>, asked: object) => string {
  // Alternating text and parameter names.
  const [start, ...parts] = path.split(/[{}]/) as [string, ...string[]];
  const names = query.split(' ');
  return (client, asked) => {
    const values = asked as Readonly<Record<string, unknown>>;
    let url = client.url + start;
    for (let i = 0; i < parts.length; i += 2) {
      const value = values[parts[i]!];
      // An empty parameter would change the route.
      if (value === undefined || value === '') {
        throw failure('config', `The parameter ${parts[i]} is missing.`, {});
      }
      url += encodeURIComponent(String(value)) + parts[i + 1];
    }
    let mark = '?';
    for (const name of names) {
      const value = values[name];
      if (value === undefined) continue;
      url += `${mark}${name}=${encodeURIComponent(String(value))}`;
      mark = '&';
    }
    return url;
  };
}
