import type { Config } from '../../config/config.ts';
import { HISTORY_LIMIT } from '../vault/historySchema.ts';
import { findLegacyOperation } from './operations.ts';
import { describeReplacement, describeUnknown, fill, findDeployment } from './successor.ts';

/** The current URL of a legacy URL. */
export interface MigratedUrl {
  /** Null if a part of it is unknown here, or it has no equivalent. */
  readonly url: string | null;
  /** What is missing, or what to know before use; one sentence each. */
  readonly notes: readonly string[];
}

/** Converts a URL of the legacy API, on any host; undefined if it is not one. */
export function migrateUrl(
  config: Pick<Config, 'chains' | 'families' | 'http'>,
  text: string,
): MigratedUrl | undefined {
  const asked = readUrl(text);
  const found = asked && findLegacyOperation(asked.path);
  if (found === undefined) return undefined;
  const { operation, values } = found;
  const deployment = findDeployment(config, values);
  const base = config.http.publicUrl ?? '';
  const url = fill(operation.successor, deployment);
  const notes = describeUnknown(deployment);
  if (!operation.equivalent) notes.push(describeReplacement(operation.successor, deployment, base));
  if (url === null) return { url, notes };
  const limit = operation.operationId === 'previousUserHistory' ? asked!.limit : undefined;
  return { url: `${base}${url}${limit ? `&limit=${limit}` : ''}`, notes };
}

/** Returns the path from /api/v1 on, decoded by segment, and the limit, capped to that of the current history. */
function readUrl(text: string): { path: string; limit: number | undefined } | undefined {
  const start = text.indexOf('/api/v1/');
  if (start < 0) return undefined;
  try {
    const { pathname, searchParams } = new URL(text.slice(start), 'http://legacy.invalid');
    const limit = /^[1-9]\d{0,8}$/.exec(searchParams.get('limit') ?? '')?.[0];
    return {
      path: pathname.replace(/\/$/, '').split('/').map(decodeURIComponent).join('/'),
      limit: limit === undefined ? undefined : Math.min(Number(limit), HISTORY_LIMIT.max),
    };
  } catch {
    return undefined;
  }
}
