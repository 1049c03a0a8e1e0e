/** Names by which a machine reaches itself, as they stand in a URL. */
const NAMES = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
const PLAIN_URL = /^http:\/\/(\[[^\]/]*\]|[^:/?#]+)(:\d+)?(?=\/|$)/i;

/** Whether who listens there is reached from the same machine only; an IPv6 address may be in brackets or not. */
export function isLoopbackHost(host: string): boolean {
  return NAMES.test(host) || NAMES.test(`[${host}]`);
}

/**
 * `listening`, where a server answers on its own machine, by the name that a client used; any other name is a claim
 * of the client's and counts for nothing.
 */
export function byName(listening: string, host: string | undefined): string {
  if (host === undefined) return listening;
  const asked = `http://${host.toLowerCase()}`;
  return isSamePlace(asked, listening) ? asked : listening;
}

/** Whether two URLs are one, or differ only in which name of the same machine they use. */
export function isSamePlace(one: string, other: string): boolean {
  const place = withoutName(one);
  return one === other || (place !== undefined && place === withoutName(other));
}

function withoutName(url: string): string | undefined {
  const found = PLAIN_URL.exec(url);
  if (found === null || !NAMES.test(found[1]!)) return undefined;
  return `${found[2] ?? ''}${url.slice(found[0].length)}`;
}
