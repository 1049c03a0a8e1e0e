import { failure } from '../wire/errors.ts';
import type { Client } from './client.ts';

/** Makes URLs of one route: what stands in the path, and what follows it. */
export function createRoute(
  path: string,
  query: string,
): (client: Pick<Client, 'url'>, asked: object) => string {
  const names = query === '' ? [] : query.split(' ');
  return ({ url }, asked) => {
    const values = asked as Readonly<Record<string, unknown>>;
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      // An empty one would name another route.
      if (value === undefined || value === '') throw failure('config', `${name} is missing`, {});
      return encodeURIComponent(String(value));
    });
    const parts = names
      .filter((name) => values[name] !== undefined)
      .map((name) => `${name}=${encodeURIComponent(String(values[name]))}`);
    return url + place + (parts.length > 0 ? `?${parts.join('&')}` : '');
  };
}
