import { isIP } from 'node:net';
import { joinPath } from '../problem.ts';
import { objectAt } from './entries.ts';
import type { Review } from './review.ts';

/** Checks the IPv6 addresses of trusted proxies: a pattern validates IPv4, and none covers IPv6. */
export function checkProxies({ file, fail }: Review): void {
  const { trustedProxies } = objectAt(objectAt(file, 'http'), 'rateLimit');
  if (!Array.isArray(trustedProxies)) return;
  trustedProxies.forEach((proxy: unknown, index) => {
    if (typeof proxy !== 'string' || !proxy.includes(':')) return;
    if (isIP(proxy.split('/')[0]!) === 6) return;
    const path = joinPath('http.rateLimit.trustedProxies', index);
    fail(path, 'must be an IP address or a range such as fd00::/8; correct it');
  });
}
