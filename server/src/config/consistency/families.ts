import { joinPath } from '../problem.ts';
import { isObject } from '../shape.ts';
import { type Entry, entries, numbers, objectAt } from './entries.ts';
import type { Review } from './review.ts';

/** Checks the chains, names, feeders, and pools of families. */
export function checkFamilies(review: Review): void {
  const { file, families, slugs, fail, checkUnique, checkChain, checkName } = review;
  const masters = new Map(families.map(({ entry }) => [entry.slug, entry.feederOf]));
  const feeds = Object.keys(objectAt(objectAt(file, 'prices'), 'feeds'));
  checkUnique(families, 'slug', 'slug');
  for (const family of families) checkFamily(family);

  function checkFamily({ entry, path }: Entry): void {
    const chains = entries(entry, 'chains', path);
    checkUnique(chains, 'chain', 'chain');
    for (const chain of chains) checkChain(chain.entry.chain, joinPath(chain.path, 'chain'));
    const roles = chains.map((chain) => chain.entry.role);
    if (roles.length > 0 && roles.every((role) => role === 'execution')) {
      fail(
        joinPath(path, 'chains'),
        'have no settlement chain; set role: settlement where users deposit',
      );
    }
    checkName(entry.priceFeed, feeds, joinPath(path, 'priceFeed'), 'feed');
    const feederPath = joinPath(path, 'feederOf');
    checkName(entry.feederOf, slugs, feederPath, 'family');
    if (typeof entry.slug === 'string') checkFeeder(entry.slug, feederPath);
    const pools = entries(entry, 'pools', path);
    checkUnique(pools, 'offchainId', 'pool');
    for (const pool of pools) checkPool(pool, review);
  }

  function checkFeeder(slug: string, path: string): void {
    const seen = [slug];
    for (let at = masters.get(slug); typeof at === 'string'; at = masters.get(at)) {
      if (at === slug) {
        const circle =
          seen.length === 1
            ? 'is the family itself'
            : `goes in a circle (${[...seen, slug].join(' → ')})`;
        fail(path, `${circle}; name another master family, or null`);
        return;
      }
      // A cycle further up is reported there.
      if (seen.includes(at)) return;
      seen.push(at);
    }
  }
}

function checkPool({ entry, path }: Entry, { fail, checkChain }: Review): void {
  if (isObject(entry.position)) {
    checkChain(entry.position.chain, joinPath(joinPath(path, 'position'), 'chain'));
  }
  const parts = entries(entry, 'composition', path);
  for (const part of parts) checkChain(part.entry.chain, joinPath(part.path, 'chain'));
  for (const kind of ['underlying', 'collateral']) {
    const shares = numbers(
      parts.filter((part) => part.entry.kind === kind).map((part) => part.entry.share),
    );
    const sum = shares.reduce((total, share) => total + share, 0);
    // Tenths do not add up exactly in binary.
    if (sum <= 1 + 1e-9 || shares.some((share) => share > 1)) continue;
    const shown = Number(sum.toFixed(6));
    fail(
      joinPath(path, 'composition'),
      `has ${kind} shares of ${shown} together; make them at most 1`,
    );
  }
}
