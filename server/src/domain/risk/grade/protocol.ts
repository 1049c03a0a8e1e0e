import type { Audits, Incident, ProtocolFacts, Upgrades } from '../graph.ts';
import { combine, type Factor, type Floor, type OwnHazard } from './ownHazard.ts';
import { type ProtocolBands, protocolBands, protocolTimes } from './protocolBands.ts';
import { PROTOCOL_WEIGHTS, type ProtocolWeights } from './protocolWeights.ts';
import { age, count, money, unknown } from './words.ts';

const MONTH_AFTER_HACK = 30 * 86_400;

export function protocolHazard(
  facts: ProtocolFacts,
  now: number,
  weights: ProtocolWeights = PROTOCOL_WEIGHTS,
): OwnHazard {
  const bands = protocolBands(facts, now);
  const times = protocolTimes(bands, weights);
  const factors: readonly (Factor | undefined)[] = [
    { ...category(facts, bands), times: 1 },
    { ...tvl(facts), times: times.tvl },
    { ...token(facts, bands), times: times.token },
    { ...audits(facts.audits), times: times.audit },
    { ...listed(facts, now), times: times.age },
    { ...fork(facts), times: times.fork },
    { ...chains(facts, bands), times: times.settlement },
    bands.oracle && { ...oracle(facts, bands.oracle), times: times.oracle },
    { ...upgrades(facts.upgrades), times: times.upgrades },
    { ...incidents(facts, now), times: times.incident },
  ];
  return combine(
    times.category,
    factors.filter((factor) => factor !== undefined),
    floors(facts, now),
  );
}

type Wording = Omit<Factor, 'times'>;

function category({ category }: ProtocolFacts, bands: ProtocolBands): Wording {
  const question = 'What kind of protocol is it?';
  if (category === undefined) return { question, known: false, answer: unknown('Its category is') };
  return { question, known: true, answer: `${category}: judged as ${bands.category}.` };
}

function tvl({ tvlUsd }: ProtocolFacts): Wording {
  const question = 'How much is entrusted to it?';
  const known = tvlUsd !== undefined;
  if (!known)
    return { question, known, answer: unknown('Its TVL is'), short: 'a TVL that is not known' };
  return {
    question,
    known,
    answer: `TVL ${money(tvlUsd)}.`,
    short: 'how little is entrusted to it',
  };
}

function token({ symbol, marketCapUsd }: ProtocolFacts, { token }: ProtocolBands): Wording {
  const question = 'Does it have a token of its own, and is it worth something?';
  if (token === 'none') return { question, known: true, answer: 'It has no token.' };
  if (token === 'unpriced')
    return {
      question,
      known: symbol !== undefined,
      answer: unknown('The market value of a token of its own is'),
      short: 'a token without a known market value',
    };
  const answer = `Its token is worth ${money(marketCapUsd!)} in all.`;
  return { question, known: true, answer, short: 'a token that is worth little' };
}

function audits(audits: Audits | undefined): Wording {
  const question = 'Was it audited?';
  if (audits === undefined)
    return { question, known: false, answer: unknown('Whether it was audited is') };
  const answer = {
    reports: `${count('reports' in audits ? audits.reports : 0, 'audit report')} can be read.`,
    claimed: 'An audit is claimed, but no report is linked.',
    partial: 'Only in part.',
    'none-recorded': 'No audit is on record; this counts against it.',
    unaudited: 'No: it is known to be unaudited.',
  }[audits.status];
  return { question, known: true, answer, short: 'the lack of audits' };
}

function listed({ listedAt }: ProtocolFacts, now: number): Wording {
  const question = 'How long has it been around?';
  if (listedAt === undefined)
    return {
      question,
      known: false,
      answer: unknown('Its age is'),
      short: 'an age that is not known',
    };
  return {
    question,
    known: true,
    answer: `Publicly listed for ${age(now - listedAt)}.`,
    short: 'how new it is',
  };
}

/** Lists name a parent only where there is one, so a missing one is no missing fact. */
function fork({ forkOf }: ProtocolFacts): Wording {
  const question = 'Is it a copy of another protocol?';
  if (forkOf === undefined || forkOf.length === 0)
    return { question, answer: 'Not that is known.' };
  return { question, answer: `A fork of ${forkOf.join(', ')}.`, short: 'being a fork' };
}

function chains({ chains }: ProtocolFacts, { settlement }: ProtocolBands): Wording {
  const question = 'Has it proved itself on Ethereum or Bitcoin?';
  if (settlement === 'unknown')
    return { question, known: false, answer: unknown('Which chains it runs on is') };
  const where = `It runs on ${count(chains!.length, 'chain')}`;
  const answer = `${where}, ${settlement === 'yes' ? 'one of these among them' : 'neither of these among them'}.`;
  return { question, known: true, answer };
}

function oracle({ oracles }: ProtocolFacts, band: 'major' | 'other'): Wording {
  const question = 'Where do its prices come from?';
  if (oracles === undefined || oracles.length === 0)
    return { question, known: false, answer: unknown('Its price source is') };
  const kind = band === 'major' ? 'a major price network' : 'not a major price network';
  return {
    question,
    known: true,
    answer: `${oracles.join(', ')}: ${kind}.`,
    short: 'its price source',
  };
}

function upgrades(upgrades: Upgrades | undefined): Wording {
  const question = 'Who can change its contracts, and how fast?';
  if (upgrades === undefined)
    return { question, known: false, answer: unknown('Who can change its contracts is') };
  if (upgrades.by === 'nobody') return { question, known: true, answer: 'Nobody.' };
  if (upgrades.by !== 'timelock')
    return {
      question,
      known: true,
      answer: 'A single key.',
      short: 'a single key that can change it',
    };
  const hours = Math.floor(upgrades.delaySeconds / 3600);
  const answer = `Changes wait ${count(hours, 'hour')} in a timelock.`;
  return { question, known: true, answer, short: 'how fast it can be changed' };
}

function incidents({ incidents = [], rugged }: ProtocolFacts, now: number): Wording {
  const question = 'Has it lost money before?';
  const told = [...incidents]
    .sort((a, b) => b.at - a.at || (b.lossUsd ?? -1) - (a.lossUsd ?? -1))
    .map((incident) => describe(incident, now));
  if (rugged) told.unshift('Its makers took the money.');
  if (told.length === 0) return { question, answer: 'No incident is on record.' };
  return { question, answer: told.join(' '), short: 'an incident in its past' };
}

function describe({ at, lossUsd, repaid }: Incident, now: number): string {
  const loss = lossUsd === undefined ? 'a loss of unknown size' : `a loss of ${money(lossUsd)}`;
  return `${age(now - at)} ago ${loss}${repaid ? ', repaid in full' : ''}.`;
}

function floors({ rugged, dead, deprecated, incidents }: ProtocolFacts, now: number): Floor[] {
  const floors: Floor[] = [];
  if (rugged) floors.push({ grade: 'F', because: 'its makers took the money' });
  if (incidents?.some(({ at }) => now - at < MONTH_AFTER_HACK))
    floors.push({ grade: 'F', because: 'it was hacked less than 30 days ago' });
  if (dead) floors.push({ grade: 'D', because: 'it is dead' });
  if (deprecated) floors.push({ grade: 'D', because: 'it is no longer maintained' });
  return floors;
}
