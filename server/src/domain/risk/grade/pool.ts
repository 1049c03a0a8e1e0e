import type { PoolFacts } from '../graph.ts';
import { combine, type Factor, type OwnHazard } from './ownHazard.ts';
import { bandOf, money, percent, unknown } from './words.ts';

/** Percent per year, by what is in it. */
export const POOL_BY_ASSETS = {
  single: 0.1,
  correlated: 0.2,
  uncorrelated: 1.5,
  unknown: 1.5,
} as const;
export const POOL_LEVERAGED = 3;
export const POOL_CONCENTRATED = 1.5;
export const POOL_BY_TVL = [
  { from: 1e8, times: 0.7 },
  { from: 1e7, times: 1 },
  { from: 1e6, times: 1.3 },
  { from: 1e5, times: 2 },
  { from: 0, times: 3 },
] as const;
export const POOL_TVL_UNKNOWN = 2;
/** Above these yearly rates, as fractions. */
export const POOL_BY_APY = [
  { from: 1, times: 3 },
  { from: 0.5, times: 2 },
  { from: Number.NEGATIVE_INFINITY, times: 1 },
] as const;
export const POOL_APY_DOUBTED = 3;
export const POOL_APY_UNKNOWN = 1.3;

export function poolHazard(facts: PoolFacts): OwnHazard {
  return combine(anchor(facts), [assets(facts), size(facts), yields(facts), operator(facts)], []);
}

function anchor({ assets, concentrated, leveraged }: PoolFacts): number {
  if (leveraged) return POOL_LEVERAGED;
  const hazard = POOL_BY_ASSETS[assets ?? 'unknown'];
  return concentrated && hazard === POOL_BY_ASSETS.uncorrelated
    ? hazard * POOL_CONCENTRATED
    : hazard;
}

function assets({ assets, concentrated, leveraged }: PoolFacts): Factor {
  const question = 'What is in it?';
  const more = `${concentrated ? ', in a narrow price range' : ''}${leveraged ? ', with borrowed money' : ''}.`;
  if (assets === undefined) {
    const answer = leveraged
      ? 'Positions with borrowed money.'
      : unknown('How its assets move together is');
    return { question, known: leveraged === true, times: 1, answer };
  }
  const words = {
    single: 'One asset',
    correlated: 'Assets that move together',
    uncorrelated: 'Assets that move apart, so that it loses against holding them',
  };
  return { question, known: true, times: 1, answer: `${words[assets]}${more}` };
}

function size({ tvlUsd }: PoolFacts): Factor {
  const question = 'How much is in it?';
  if (tvlUsd === undefined)
    return {
      question,
      known: false,
      times: POOL_TVL_UNKNOWN,
      answer: unknown('Its TVL is'),
      short: 'a TVL that is not known',
    };
  const { times } = bandOf(POOL_BY_TVL, tvlUsd);
  return {
    question,
    known: true,
    times,
    answer: `TVL ${money(tvlUsd)}.`,
    short: 'how little is in it',
  };
}

function yields({ apy, outlier }: PoolFacts): Factor {
  const question = 'Is its yield plausible?';
  if (apy === undefined && !outlier)
    return { question, known: false, times: POOL_APY_UNKNOWN, answer: unknown('Its yield is') };
  const times = Math.max(
    outlier ? POOL_APY_DOUBTED : 1,
    // "Above" a rate, so the rate itself still belongs to the band below it.
    apy === undefined ? 1 : (POOL_BY_APY.find(({ from }) => apy > from)?.times ?? 1),
  );
  const rate = apy === undefined ? 'Its rate' : `${percent(apy)} a year`;
  const doubt = outlier
    ? ', which its source itself doubts'
    : times > 1
      ? ', far above what is usual'
      : '';
  return {
    question,
    known: true,
    times,
    answer: `${rate}${doubt}.`,
    short: 'a yield too high to last',
  };
}

function operator({ protocol }: PoolFacts): Factor {
  const question = 'Is it known whose contracts it runs on?';
  const known = protocol !== undefined;
  return { question, known, times: 1, answer: known ? 'Yes.' : unknown('Its protocol is') };
}
