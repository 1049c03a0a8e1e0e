import { OPERATOR_EVENT_TYPES } from '../../domain/events/event.ts';
import { joinPath } from '../problem.ts';
import { type Entry, entries } from './entries.ts';
import type { Review } from './review.ts';

/** Checks the names, families, and URLs of webhook endpoints. */
export function checkWebhooks({ file, slugs, fail, checkUnique, checkName }: Review): void {
  const webhooks = entries(file, 'webhooks');
  checkUnique(webhooks, 'name', 'name');
  for (const webhook of webhooks) checkWebhook(webhook);

  function checkWebhook({ entry, path }: Entry): void {
    const wanted = Array.isArray(entry.families) ? entry.families : [];
    wanted.forEach((slug: unknown, index) => {
      checkName(slug, slugs, joinPath(joinPath(path, 'families'), index), 'family');
    });
    const types: readonly unknown[] = Array.isArray(entry.types) ? entry.types : [];
    if (wanted.length > 0 && OPERATOR_EVENT_TYPES.some((type) => types.includes(type))) {
      const fix = 'use another endpoint without families for them';
      fail(joinPath(path, 'types'), `includes payment, but payments are of no family; ${fix}`);
    }
    const isPlain = typeof entry.url === 'string' && /^http:/i.test(entry.url);
    if (isPlain && entry.allowPrivate !== true) {
      const fix = 'use https://, or set allowPrivate for an endpoint in your own network';
      fail(joinPath(path, 'url'), `is not encrypted; ${fix}`);
    }
  }
}
