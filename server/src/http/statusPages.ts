import { createFamilyPages } from './familyPages.ts';
import { Page } from './jsonText.ts';
import { readParameters } from './parameters.ts';
import type { RouteRequest } from './route.ts';
import type { ServerDeps } from './serverDeps.ts';
import { type ChainStatus, presentStatus } from './status.ts';
import { newCursorKey } from './vault/cursor.ts';

export const STATUS_PATH = '/v1/status';

/**
 * Returns GET /v1/status page by page: every page has all chains and feeds, and the families of the page on their
 * chains. Families are in the order in which the chains list them first.
 */
export function createStatusPages(
  deps: Pick<ServerDeps, 'version' | 'database' | 'cursorKey' | 'http' | 'storage'>,
): (statuses: readonly ChainStatus[], request: RouteRequest) => Page {
  const { cursorKey: key = newCursorKey() } = deps;
  return (statuses, request) => {
    const families = familiesOf(statuses);
    const places = new Map(families.map((slug, place) => [slug, place]));
    const pages = createFamilyPages({
      path: STATUS_PATH,
      key,
      publicUrl: deps.http?.publicUrl,
      isKnown: (slug) => places.has(slug),
    });
    const { limit, after } = readParameters((parameters) => pages.read(parameters, {}), request);
    const start = after === undefined ? 0 : places.get(after)! + 1;
    const page = families.slice(start, start + limit);
    const isLast = start + limit >= families.length;
    const next = isLast ? null : pages.next({}, { limit, last: page.at(-1)! });
    const whole = start === 0 && isLast;
    return new Page(
      presentStatus(whole ? statuses : onlyFamilies(statuses, new Set(page)), deps),
      next,
    );
  };
}

function familiesOf(statuses: readonly ChainStatus[]): string[] {
  const named = statuses.flatMap(({ sources }) => sources.filter(({ kind }) => kind === 'family'));
  return [...new Set(named.map(({ name }) => name))];
}

function onlyFamilies(
  statuses: readonly ChainStatus[],
  families: ReadonlySet<string>,
): ChainStatus[] {
  return statuses.map((status) => ({
    ...status,
    sources: status.sources.filter(({ kind, name }) => kind === 'feed' || families.has(name)),
  }));
}
