import type { FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { END_OF_TIME } from '../../domain/time.ts';
import type { CostMethod } from '../../domain/wallet/accounting/costMethod.ts';
import { createLotBook } from '../../domain/wallet/accounting/lotBook.ts';
import { getStandings, getStandingsAt, type Standing } from '../../store/positions/read.ts';
import type { Queryable } from '../../store/store.ts';
import { readMoves } from './costMethod.ts';

/**
 * Where a wallet stands at a method's cost, now or up to an instant of each family. Only average cost is stored; the
 * others are computed from every movement.
 */
export async function getMethodStandings(
  db: Queryable,
  wallet: Address,
  families: readonly FamilyConfig[],
  method: CostMethod,
  untilOf?: (slug: string) => number,
): Promise<Standing[]> {
  const slugs = families.map(({ slug }) => slug);
  if (method === 'average') {
    if (untilOf === undefined) return getStandings(db, wallet, slugs);
    const asked = slugs.map((slug) => ({ slug, until: untilOf(slug) }));
    return getStandingsAt(db, wallet, asked);
  }
  const found = await readMoves(db, { wallets: [wallet], families });
  return found.flatMap(({ familyId, slug, moves }) => {
    const until = untilOf?.(slug) ?? END_OF_TIME;
    const before = moves.filter(({ at }) => at <= until);
    const book = createLotBook(method);
    for (const move of before) book.add(move);
    return before.length === 0 ? [] : [{ familyId, slug, position: book.position() }];
  });
}
