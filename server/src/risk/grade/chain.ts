import type { ChainFacts } from '../../domain/risk/graph.ts';
import { bandOf, money, unknown } from './format.ts';
import { combine, type Factor, type Floor, NO_A, type OwnHazard, TOO_SMALL } from './ownHazard.ts';

/** Percent per year: together about as much as protocols are known to have lost through their chains. */
export const SETTLEMENT_HAZARD = 0.02;
export const ROLLUP_BY_STAGE = { 2: 0.05, 1: 0.1, 0: 0.2, unassessed: 0.3 } as const;
export const CHAIN_BY_TVL = [
  { from: 1e9, hazard: 0.1 },
  { from: 1e8, hazard: 0.2 },
  { from: 1e7, hazard: 0.4 },
  { from: 0, hazard: 0.6 },
] as const;
/** Like the smallest band, because unknown is never safe. */
export const CHAIN_UNKNOWN = 0.6;
/** In USD. A loss of a smaller chain would probably not be reported. */
export const CHAIN_TOLD_FROM = 1e7;

const SETTLEMENT = new Set(['ethereum', 'bitcoin']);

/** Whether the chain is a rollup; undefined if unknown. */
export function isRollup({ slug, kind }: ChainFacts): boolean | undefined {
  if (SETTLEMENT.has(slug)) return false;
  return kind === undefined ? undefined : kind === 'rollup';
}

export function chainHazard(facts: ChainFacts): OwnHazard {
  const factors = [kind(facts), stage(facts), size(facts)];
  const own = combine(
    anchor(facts),
    factors.filter((factor) => factor !== undefined),
    floors(facts),
    caps(facts),
  );
  return { ...own, likeIt: 'Too few chains are known to have lost money to count them.' };
}

function anchor({ slug, kind, stage, tvlUsd }: ChainFacts): number {
  if (SETTLEMENT.has(slug)) return SETTLEMENT_HAZARD;
  if (kind === 'rollup') return ROLLUP_BY_STAGE[stage ?? 'unassessed'];
  if (tvlUsd === undefined) return CHAIN_UNKNOWN;
  return bandOf(CHAIN_BY_TVL, tvlUsd).hazard;
}

function kind({ slug, kind }: ChainFacts): Factor {
  const question = 'What secures it?';
  if (SETTLEMENT.has(slug))
    return {
      question,
      known: true,
      times: 1,
      answer: 'Its own validators or miners, the most proven there are.',
    };
  if (kind === undefined)
    return { question, known: false, times: 1, answer: unknown('What secures it is') };
  const answer =
    kind === 'rollup' ? 'It is a rollup: the chain it settles on.' : 'Its own validators.';
  return { question, known: true, times: 1, answer };
}

function stage({ slug, kind, stage }: ChainFacts): Factor | undefined {
  if (kind !== 'rollup' || SETTLEMENT.has(slug)) return undefined;
  const question = 'How far are its users protected from its operator?';
  if (stage === undefined)
    return { question, known: false, times: 1, answer: unknown('Its stage is') };
  return { question, known: true, times: 1, answer: `Stage ${stage} of 2.` };
}

function size({ slug, kind, tvlUsd }: ChainFacts): Factor | undefined {
  if (kind === 'rollup' || SETTLEMENT.has(slug)) return undefined;
  const question = 'How much is entrusted to it?';
  const known = tvlUsd !== undefined;
  return {
    question,
    known,
    times: 1,
    answer: known ? `TVL ${money(tvlUsd)}.` : unknown('Its TVL is'),
  };
}

/** Returns the stage of a rollup, which comes only from curated assessments, never from a list. */
function caps({ slug, kind, stage, tvlUsd }: ChainFacts): Floor[] {
  if (SETTLEMENT.has(slug) || (kind === 'rollup' && stage !== undefined)) return [];
  const isSmall = tvlUsd !== undefined && tvlUsd < CHAIN_TOLD_FROM;
  return [isSmall ? TOO_SMALL : NO_A];
}

function floors({ dead }: ChainFacts): Floor[] {
  return dead ? [{ grade: 'D', because: 'it is dead' }] : [];
}
