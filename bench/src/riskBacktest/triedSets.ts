import type { Case } from './cases.ts';
import { type Columns, fitColumns, shippedColumns } from './fitLoss.ts';
import { crossFit } from './folds.ts';
import { auc } from './measure.ts';
import { isWatched, lost } from './outcomes.ts';
import { type Estimate, rank, round } from './rankings.ts';
import type { Server } from './server.ts';

export interface TriedRow {
  readonly set: string;
  readonly auc: number;
  readonly gain: Estimate;
}

export interface FactRow {
  readonly fact: string;
  readonly with: readonly [of: number, lost: number];
  readonly without: readonly [of: number, lost: number];
  readonly auc: number;
}

const yes = (name: string, has: (one: Case) => boolean): Columns => ({
  name,
  values: (one) => [Number(has(one))],
});

/** Knots at powers of ten, so that neither the sign nor the shape is assumed. */
const TVL: Columns = {
  name: 'TVL as a free curve',
  values: ({ tvlUsd }) => {
    const at = Math.min(9, Math.max(3, Math.log10(Math.max(tvlUsd, 1))));
    return [3, 4, 5, 6, 7, 8, 9].map((knot) => Math.max(0, 1 - Math.abs(at - knot)));
  },
};
const isOtherFork = (one: Case, server: Server) =>
  (one.facts.forkOf?.length ?? 0) > 0 && server.lossBands(one.facts, one.around).copy === 'no';
const isPriced = ({ facts }: Case) => (facts.marketCapUsd ?? 0) > 0;
const hasPool = ({ facts }: Case) => facts.poolsApy !== undefined;
const hasOracle = ({ facts }: Case) => (facts.oracles?.length ?? 0) > 0;

function others(server: Server): Columns[] {
  return [
    TVL,
    yes('audit flag', ({ tried }) => tried.audited),
    { name: 'years since listing', values: ({ tried }) => [tried.years] },
    yes('price source named', hasOracle),
    {
      name: 'token',
      values: (one) => [Number(isPriced(one)), Number(one.facts.hasToken === false)],
    },
    yes('other forks', (one) => isOtherFork(one, server)),
    yes('a large pool listed, regardless of its yield', hasPool),
    yes('liquidity mining of the own token', ({ tried }) => tried.liquidityMining),
    yes('runs on Ethereum', ({ facts }) => facts.chains?.includes('ethereum') === true),
  ];
}

/** Returns the results of the shipped set, with one more fact, with all, and with one less, and of other fits. */
export function triedRows(cases: readonly Case[], server: Server): TriedRow[] {
  const shipped = shippedColumns(server);
  const more = others(server);
  const row = (set: string, columns: readonly Columns[], options = {}): TriedRow => {
    const scores = crossFit(cases, (seen) => fitColumns(seen, columns, options).score);
    const { crossFitted, gain } = rank(cases, scores, {
      ...{ name: set, within: isWatched, happened: (one: Case) => lost(one) },
    });
    return { set, auc: crossFitted.value, gain };
  };
  const everySize = { from: () => true };
  return [
    row('as shipped', shipped),
    ...more.map((column) => row(`with ${column.name}`, [...shipped, column])),
    row('with all of these', [...shipped, ...more]),
    ...shipped.map(({ name }) =>
      row(
        `without ${name}`,
        shipped.filter((each) => each.name !== name),
      ),
    ),
    row('fitted over all sizes, with TVL as a free curve', [...shipped, TVL], everySize),
    row('regularized half as strongly', shipped, { pull: 2 }),
    row('regularized twice as strongly', shipped, { pull: 8 }),
  ];
}

/** Returns the result of each fact alone, for protocols above 1 million USD. */
export function factRows(cases: readonly Case[], server: Server): FactRow[] {
  const watched = cases.filter(isWatched);
  const kindOf = ({ facts, around }: Case) => server.lossBands(facts, around).kind;
  const row = (
    fact: string,
    has: (one: Case) => boolean,
    score = (one: Case) => Number(has(one)),
  ): FactRow => {
    const count = (those: readonly Case[]) =>
      [those.length, those.filter((one) => lost(one)).length] as const;
    return {
      fact,
      with: count(watched.filter(has)),
      without: count(watched.filter((one) => !has(one))),
      auc: round(
        auc(
          watched.map(score),
          watched.map((one) => lost(one)),
        )!,
      ),
    };
  };
  return [
    row('lending', (one) => kindOf(one) === 'lending'),
    row('exchange', (one) => kindOf(one) === 'exchange'),
    row('runs on a rollup', ({ around }) => around.onRollup === true),
    row(
      'on several chains; AUC of their number',
      ({ facts }) => (facts.chains?.length ?? 0) > 1,
      ({ facts }) => facts.chains?.length ?? 0,
    ),
    row(
      'fork of Compound or Aave',
      ({ facts, around }) => server.lossBands(facts, around).copy === 'yes',
    ),
    row('another fork', (one) => isOtherFork(one, server)),
    row(
      'has a pool among the 500 largest; AUC of their yield',
      hasPool,
      ({ facts }) => facts.poolsApy ?? 0,
    ),
    row('one of these yields above 50%', ({ tried }) => tried.mostApy > 50),
    row('price source named', hasOracle),
    row('audit flag', ({ tried }) => tried.audited),
    row(
      'listed for over a year; AUC of its age',
      ({ tried }) => tried.years > 1,
      ({ tried }) => tried.years,
    ),
    row('token with a market value', isPriced),
    row('liquidity mining of the own token', ({ tried }) => tried.liquidityMining),
    row(
      'TVL above 10 million USD; AUC of TVL',
      ({ tvlUsd }) => tvlUsd > 1e7,
      ({ tvlUsd }) => tvlUsd,
    ),
  ];
}
