import type { Config, FamilyConfig } from '../../config/config.ts';
import { toIso } from '../../domain/time.ts';
import { withoutOwnTransfers } from '../../domain/wallet/accounting/ownTransfers.ts';
import { statementOf } from '../../domain/wallet/accounting/statement.ts';
import { notices } from '../../store/notices/notices.ts';
import { getPricesAt, getRatiosAt } from '../../store/prices/atTime.ts';
import type { Store } from '../../store/store.ts';
import { vaults } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';
import { BadParameters } from '../problem.ts';
import { readMoves } from './costMethod.ts';
import { chainsOf, factsOf } from './performance.ts';
import type { StatementAsked } from './statementAsked.ts';
import { type Quote, statementFamily } from './statementFamily.ts';
import type { StatementAnswer, StatementFamily } from './statementSchema.ts';

/** With more, a response would be too large. */
export const MAX_ENTRIES = 10_000;

/** Computes the statement of a year up to its end, or to now. */
export async function readStatement(
  { config, store }: { readonly config: Config; readonly store: Pick<Store, 'reads'> },
  asked: StatementAsked,
  now: number,
): Promise<Omit<StatementAnswer, 'incompleteChains'>> {
  const { wallets, families, method, year, timeZone, zone } = asked;
  const from = zone.startOfYear(year);
  if (from > now) throw bad('year', 'has not begun in this time zone: use an earlier one');
  const end = zone.startOfYear(year + 1);
  const last = Math.min(end - 1, now);
  const { maxAgeSeconds } = config.prices;
  const db = store.reads;
  const [found, opening, closing, rows, unseen] = await Promise.all([
    readMoves(db, { wallets, families, detailFrom: from, before: last + 1, maxAgeSeconds }),
    readQuotes(db, families, from - 1, maxAgeSeconds),
    readQuotes(db, families, last, maxAgeSeconds),
    vaults.getAll(db),
    Promise.all(wallets.map((wallet) => notices.getIncompleteCosts(db, wallet))),
  ]);
  const ofFamilies = found.flatMap(({ familyId, slug, moves }): StatementFamily[] => {
    const family = families.find((one) => one.slug === slug)!;
    const facts = factsOf(family, { familyId }, rows);
    const own = wallets.length === 1 ? moves : withoutOwnTransfers(moves);
    const statement = statementOf(own, method, from);
    const isEmpty = statement.opening.shares === 0n && statement.entries.length === 0;
    if (facts === undefined || isEmpty) return [];
    const costIncomplete = unseen.some((ids) => ids.has(familyId));
    const quotes = { opening: opening(family), closing: closing(family) };
    return [statementFamily({ slug, facts, statement, ...quotes, costIncomplete })];
  });
  if (ofFamilies.reduce((sum, { entries }) => sum + entries.length, 0) > MAX_ENTRIES) {
    throw bad(
      'family',
      `must be set, or fewer wallets: a statement has at most ${MAX_ENTRIES} movements`,
    );
  }
  return {
    wallets: wallets.map(checksummed),
    ...{ method, year, timeZone },
    from: toIso(from),
    until: toIso(Math.min(end, now)),
    families: ofFamilies,
    totals: totalsOf(ofFamilies),
  };
}

/** Reads share prices and USD prices at a time. */
async function readQuotes(
  db: Store['reads'],
  families: readonly FamilyConfig[],
  at: number,
  maxAgeSeconds: number,
): Promise<(family: FamilyConfig) => Quote> {
  const feeds = [...new Set(families.flatMap(({ priceFeed }) => priceFeed ?? []))];
  const [ratioOf, prices] = await Promise.all([
    getRatiosAt(db, families.flatMap(chainsOf), at),
    getPricesAt(db, feeds, at, maxAgeSeconds),
  ]);
  return ({ slug, priceFeed }) => ({
    at,
    ratioOn: (chainId) => ratioOf(slug, chainId),
    price: prices.get(priceFeed ?? '') ?? null,
  });
}

function totalsOf(families: readonly StatementFamily[]): StatementAnswer['totals'] {
  const sums = {
    openingValueUsd: 0,
    closingValueUsd: 0,
    depositsUsd: 0,
    exitsUsd: 0,
    realizedUsd: 0,
  };
  const unpricedFamilies: string[] = [];
  for (const { family, opening, closing, deposits, exits, realizedUsd } of families) {
    const [before, after] = [opening.valueUsd, closing.valueUsd];
    const values = [before, after, deposits.usd, exits.usd, realizedUsd];
    if (values.includes(null)) {
      unpricedFamilies.push(family);
      continue;
    }
    sums.openingValueUsd += before!;
    sums.closingValueUsd += after!;
    sums.depositsUsd += deposits.usd!;
    sums.exitsUsd += exits.usd!;
    sums.realizedUsd += realizedUsd!;
  }
  return { ...sums, unpricedFamilies };
}

function bad(parameter: string, reason: string): BadParameters {
  return new BadParameters([{ parameter, reason }]);
}
