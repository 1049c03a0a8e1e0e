import type { Incident, ProtocolFacts, Upgrades } from '../../domain/risk/graph.ts';
import { lostLikeThis } from './baseRates.ts';
import { closureCaps, closureCounts, tokenBand } from './closure.ts';
import { age, cost, count, money, percent, unknown } from './format.ts';
import { isCopy, type LossBands, lossBands, lossTimes, type Surroundings } from './lossBands.ts';
import { LOSS_WEIGHTS, type LossWeights } from './lossWeights.ts';
import { combine, type Factor, type Floor, type OwnHazard } from './ownHazard.ts';

const MONTH_AFTER_HACK = 30 * 86_400;

export function protocolHazard(
  facts: ProtocolFacts,
  now: number,
  around: Surroundings = {},
  weights: LossWeights = LOSS_WEIGHTS,
): OwnHazard {
  const bands = lossBands(facts, around);
  const times = lossTimes(bands, weights);
  const factors: readonly Factor[] = [
    { ...kind(facts, bands, times.kind / weights.kind.unknown), times: 1 },
    { ...copy(facts, times.copy), times: times.copy },
    { ...chains(facts, times.chains), times: times.chains },
    { ...rollup(bands.rollup, times.rollup), times: times.rollup },
    { ...yields(facts, times.yield), times: times.yield },
    { ...upgrades(facts.upgrades, times.upgrades), times: times.upgrades },
    { ...incidents(facts, now, times.incident), times: times.incident },
    { ...size(facts), times: 1 },
    { ...token(facts), times: 1 },
  ];
  const own = combine(times.kind, factors, floors(facts, now), closureCaps(facts));
  const likeness = { kind: bands.kind, onRollup: bands.rollup === 'yes', tvlUsd: facts.tvlUsd };
  return { ...own, likeIt: lostLikeThis(likeness) };
}

type Wording = Omit<Factor, 'times'>;

function kind({ category }: ProtocolFacts, { kind }: LossBands, toAverage: number): Wording {
  const question = 'What kind of protocol is it?';
  if (category === undefined) return { question, known: false, answer: unknown('Its category is') };
  return {
    question,
    known: true,
    answer: `${category}: judged as ${kind}${cost(toAverage)}.`,
  };
}

/** Lists name a parent only where there is one, so a missing one is no missing fact. */
function copy(facts: ProtocolFacts, times: number): Wording {
  const question = 'Is it a copy of another protocol?';
  const { forkOf = [] } = facts;
  if (forkOf.length === 0) return { question, answer: 'Not that is known.' };
  const short = 'being a copy of a lending market';
  const answer = `A fork of ${forkOf.join(', ')}${cost(times)}.`;
  return { question, answer, ...(isCopy(facts) && { short }) };
}

function chains({ chains = [] }: ProtocolFacts, times: number): Wording {
  const question = 'On how many chains does it run?';
  if (chains.length === 0)
    return { question, known: false, answer: unknown('Which chains it runs on is') };
  const answer = `On ${chains.length}${cost(times)}.`;
  return { question, known: true, answer, short: 'the number of its chains' };
}

function rollup(band: LossBands['rollup'], times: number): Wording {
  const question = 'Does it run on a rollup?';
  if (band === 'unknown') return { question, answer: unknown('Whether it does is') };
  const answer = band === 'yes' ? `Yes${cost(times)}.` : 'No.';
  return { question, answer, short: 'that it runs on a rollup' };
}

/** A list names the pools that there are, so none is no missing fact. */
function yields({ poolsApy }: ProtocolFacts, times: number): Wording {
  const question = 'What do its large pools pay?';
  if (poolsApy === undefined) return { question, answer: 'No large pool of it is listed.' };
  const answer = `${percent(poolsApy)} a year${cost(times)}.`;
  return { question, answer, short: 'what its pools pay' };
}

function upgrades(upgrades: Upgrades | undefined, times: number): Wording {
  const question = 'Who can change its contracts, and how fast?';
  if (upgrades === undefined)
    return { question, known: false, answer: 'Who can change its contracts is not known.' };
  if (upgrades.by === 'nobody') return { question, known: true, answer: `Nobody${cost(times)}.` };
  if (upgrades.by !== 'timelock')
    return {
      question,
      known: true,
      answer: `A single key${cost(times)}.`,
      short: 'a single key that can change it',
    };
  const hours = Math.floor(upgrades.delaySeconds / 3600);
  const answer = `Changes wait ${count(hours, 'hour')} in a timelock${cost(times)}.`;
  return { question, known: true, answer, short: 'how fast it can be changed' };
}

function incidents({ incidents = [], rugged }: ProtocolFacts, now: number, times: number): Wording {
  const question = 'Has it lost money before?';
  const answers = [...incidents]
    .sort((a, b) => b.at - a.at || (b.lossUsd ?? -1) - (a.lossUsd ?? -1))
    .map((incident) => describe(incident, now));
  if (rugged) answers.unshift('Its team took the money.');
  if (answers.length === 0) return { question, answer: 'No incident is on record.' };
  if (times > 1) answers.push('This counts against it.');
  return { question, answer: answers.join(' '), short: 'an incident in its past' };
}

function describe({ at, lossUsd, repaid }: Incident, now: number): string {
  const loss = lossUsd === undefined ? 'a loss of unknown size' : `a loss of ${money(lossUsd)}`;
  return `${age(now - at)} ago ${loss}${repaid ? ', repaid in full' : ''}.`;
}

/** Size says how long a protocol lasts, not whether money is lost: it costs nothing but the floor. */
function size({ tvlUsd }: ProtocolFacts): Wording {
  const question = 'How much is entrusted to it, and will it last?';
  const known = tvlUsd !== undefined;
  const answer = known ? `TVL ${money(tvlUsd)}` : 'Its TVL is not known';
  return { question, known, answer: `${answer}: ${closureCounts(tvlUsd)}.` };
}

function token(facts: ProtocolFacts): Wording {
  const question = 'Does it have a token of its own, and is it worth something?';
  const band = tokenBand(facts);
  if (band === 'none') return { question, known: true, answer: 'It has no token.' };
  if (band === 'unpriced') {
    const answer = 'The market value of a token of its own is not known.';
    return { question, known: facts.symbol !== undefined, answer };
  }
  const answer = `Its token is worth ${money(facts.marketCapUsd!)} in all.`;
  return { question, known: true, answer };
}

function floors({ rugged, dead, deprecated, incidents }: ProtocolFacts, now: number): Floor[] {
  const floors: Floor[] = [];
  if (rugged) floors.push({ grade: 'F', because: 'its team took the money' });
  if (incidents?.some(({ at }) => now - at < MONTH_AFTER_HACK))
    floors.push({ grade: 'F', because: 'it was hacked less than 30 days ago' });
  if (dead) floors.push({ grade: 'D', because: 'it is dead' });
  if (deprecated) floors.push({ grade: 'D', because: 'it is no longer maintained' });
  return floors;
}
