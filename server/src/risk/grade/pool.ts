import type { PoolFacts } from '../../domain/risk/graph.ts';
import { money, unknown } from './format.ts';
import {
  combine,
  type Factor,
  MIN_REPORTED_USD,
  NO_A,
  type OwnHazard,
  TOO_SMALL,
} from './ownHazard.ts';

/** Percent per year, by what is in it. */
export const POOL_BY_ASSETS = {
  single: 0.1,
  correlated: 0.2,
  uncorrelated: 1.5,
  unknown: 1.5,
} as const;
export const POOL_LEVERAGED = 3;
export const POOL_CONCENTRATED = 1.5;
export function poolHazard(facts: PoolFacts): OwnHazard {
  const { tvlUsd } = facts;
  const isSmall = tvlUsd !== undefined && tvlUsd < MIN_REPORTED_USD;
  const factors = [assets(facts), size(facts), operator(facts)];
  return combine(anchor(facts), factors, [], [isSmall ? TOO_SMALL : NO_A]);
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

/** Neither size nor yield separated losses, so they add no hazard. A pool that is too small is capped. */
function size({ tvlUsd }: PoolFacts): Factor {
  const question = 'How much is in it?';
  const known = tvlUsd !== undefined;
  const answer = known ? `TVL ${money(tvlUsd)}.` : 'Its TVL is not known.';
  return { question, known, times: 1, answer };
}

function operator({ protocol }: PoolFacts): Factor {
  const question = 'Is it known whose contracts it runs on?';
  const known = protocol !== undefined;
  return { question, known, times: 1, answer: known ? 'Yes.' : unknown('Its protocol is') };
}
