import { failure } from '../wire/errors.ts';
import type { Client } from './client.ts';

/** Makes URLs of one route: what stands in the path, and what follows it. */
export function createRoute(
  path: string,
  query: string,
): (client: Pick<Client, 'url'>, asked: object) => string {
  // Text and names of parameters in turn.
  const [start, ...parts] = path.split(/[{}]/) as [string, ...string[]];
  const names = query === '' ? [] : query.split(' ');
  return (client, asked) => {
    const values = asked as Readonly<Record<string, unknown>>;
    let url = client.url + start;
    for (let i = 0; i < parts.length; i += 2) {
      const value = values[parts[i]!];
      // An empty one would name another route.
      if (value === undefined || value === '') {
        throw failure('config', `${parts[i]} is missing`, {});
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
