import type { Config } from '../../config/config.ts';
import { HISTORY_LIMIT } from '../vault/historySchema.ts';
import { findPrevious } from './operations.ts';
import { describeUnknown, fill, findPlace } from './successor.ts';

/** Where a URL of the previous API leads today. */
export interface MigratedUrl {
  /** Null where something in it is not known here. */
  readonly url: string | null;
  /** What is missing, or what to know before it is used; a sentence each. */
  readonly notes: readonly string[];
}

/** The URL of today for one of the previous API, on whatever host; undefined when it is none. */
export function migrateUrl(
  config: Pick<Config, 'chains' | 'families' | 'http'>,
  text: string,
): MigratedUrl | undefined {
  const asked = readUrl(text);
  const found = asked && findPrevious(asked.path);
  if (found === undefined) return undefined;
  const { previous, values } = found;
  const place = findPlace(config, values);
  const url = fill(previous.partOf ?? previous.successor, place);
  const notes = describeUnknown(place);
  if (url === null) return { url, notes };
  if (previous.partOf !== undefined) {
    const wallet = previous.successor.replace('{slug}', place.family!.slug);
    notes.push(
      `It has no route of its own any more: the sum is stats.pendingRedemptionAssets there, and ${wallet} has each wallet's.`,
    );
  }
  const limit = previous.operationId === 'previousUserHistory' ? asked!.limit : undefined;
  return { url: `${config.http.publicUrl ?? ''}${url}${limit ? `&limit=${limit}` : ''}`, notes };
}

/** The path from /api/v1 on, decoded part by part, and the limit as far as today's history takes it. */
function readUrl(text: string): { path: string; limit: number | undefined } | undefined {
  const start = text.indexOf('/api/v1/');
  if (start < 0) return undefined;
  try {
    const { pathname, searchParams } = new URL(text.slice(start), 'http://previous.invalid');
    const limit = /^[1-9]\d{0,8}$/.exec(searchParams.get('limit') ?? '')?.[0];
    return {
      path: pathname.replace(/\/$/, '').split('/').map(decodeURIComponent).join('/'),
      limit: limit === undefined ? undefined : Math.min(Number(limit), HISTORY_LIMIT.max),
    };
  } catch {
    return undefined;
  }
}
