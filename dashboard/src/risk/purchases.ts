import type { Purchase } from '@assay/client';
import { cleanText } from '../format/text.ts';

const AGENT = '/api/v1/agent/';

/** What was bought, with the node that it is about. */
export interface Bought {
  readonly what: string;
  readonly nodeId: string | undefined;
}

/** Reads from the URL of a purchase what was bought. */
export function boughtOf(url: string): Bought {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.slice(pathname.indexOf(AGENT) + AGENT.length);
  if (path.startsWith('node/')) {
    return { what: 'Grade', nodeId: decodeURIComponent(path.slice('node/'.length)) };
  }
  if (path === 'dependencies') {
    return { what: 'Dependencies', nodeId: searchParams.get('nodeId') ?? undefined };
  }
  if (path === 'search') {
    return {
      what: `Search for “${cleanText(searchParams.get('q') ?? '', 32)}”`,
      nodeId: undefined,
    };
  }
  return { what: cleanText(path, 40), nodeId: undefined };
}

/** Adds up what was spent or is reserved since a time in Unix seconds. What was written off is neither. */
export function spentSince(purchases: readonly Purchase[], since: number): bigint {
  return purchases
    .filter(({ at, state }) => at >= since && state !== 'written-off')
    .reduce((sum, { amount }) => sum + amount, 0n);
}
