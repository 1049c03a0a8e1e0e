import type { AssetFacts } from '../../domain/risk/graph.ts';
import { coinsLost } from './baseRates.ts';
import { bandOf, money, percent, unknown } from './format.ts';
import { combine, type Factor, type Floor, NO_A, type OwnHazard } from './ownHazard.ts';

type Kind = NonNullable<AssetFacts['kind']>;

/**
 * Percent per year by minimum market value in USD; unknown counts as small. For stablecoins below a billion, about the
 * observed rate; otherwise a judgment. Few and wide bands, because seven depegs support no finer ones.
 */
export const ASSET_BY_SIZE = {
  'fiat-backed': [0.5, 2],
  'crypto-backed': [1.5, 5],
  algorithmic: [12, 12],
  other: [1, 4],
} as const;
export const ASSET_SIZES = [1e9, 0] as const;
export const ASSET_FIXED = {
  native: 0.02,
  'liquid-staking': 0.4,
  wrapped: 0.4,
  'vault-share': 0.4,
} as const;
export const ASSET_UNKNOWN = 4;
/** Assets with a custodian, for which there is no independent count. */
export const NOT_ATTESTED = 1.3;
/** Tolerated deviation from the peg, as a fraction. */
export const PEG_FLOORS = [
  { from: 0.1, grade: 'F' },
  { from: 0.03, grade: 'D' },
] as const;

const WORDS: Readonly<Record<Kind, string>> = {
  native: 'The native token of its chain.',
  'fiat-backed': 'Backed by money or bonds that an issuer holds.',
  'crypto-backed': 'Backed by other tokens.',
  algorithmic: 'Held at its price by rules, not by backing.',
  'liquid-staking': 'A claim on staked tokens.',
  wrapped: 'A claim on another token.',
  'vault-share': 'A share of a vault.',
  other: 'A token of its own, backed by nothing else.',
};

export function assetHazard(facts: AssetFacts): OwnHazard {
  const factors = [kind(facts), size(facts), attested(facts), peg(facts)];
  const own = combine(
    anchor(facts),
    factors.filter((factor) => factor !== undefined),
    floors(facts),
    // A native coin is as safe as its chain. For other assets the sample is too small to claim that.
    facts.kind === 'native' ? [] : [NO_A],
  );
  return { ...own, likeIt: coinsLost(facts.kind) };
}

function anchor({ kind, marketCapUsd }: AssetFacts): number {
  if (kind === undefined) return ASSET_UNKNOWN;
  if (!isSized(kind)) return ASSET_FIXED[kind];
  const byValue = ASSET_BY_SIZE[kind].map((hazard, index) => ({
    from: ASSET_SIZES[index]!,
    hazard,
  }));
  return bandOf(byValue, marketCapUsd ?? 0).hazard;
}

function isSized(kind: Kind): kind is keyof typeof ASSET_BY_SIZE {
  return kind in ASSET_BY_SIZE;
}

function kind({ kind }: AssetFacts): Factor {
  const question = 'What stands behind it?';
  const known = kind !== undefined;
  return { question, known, times: 1, answer: known ? WORDS[kind] : unknown('What backs it is') };
}

function size({ kind, marketCapUsd }: AssetFacts): Factor | undefined {
  if (kind !== undefined && !isSized(kind)) return undefined;
  const question = 'How much of it is there?';
  const known = marketCapUsd !== undefined;
  const answer = known ? `Worth ${money(marketCapUsd)} in all.` : unknown('Its market value is');
  return { question, known, times: 1, answer };
}

function attested({ kind, attested }: AssetFacts): Factor | undefined {
  if (kind !== 'fiat-backed') return undefined;
  const question = 'Does someone independent attest the backing?';
  if (attested) return { question, known: true, times: 1, answer: 'Yes.' };
  return {
    question,
    known: attested !== undefined,
    times: NOT_ATTESTED,
    answer:
      attested === false ? 'No; this counts against it.' : unknown('Whether anyone attests it is'),
    short: 'backing that nobody is known to attest',
  };
}

function peg({ peg, pegDeviation }: AssetFacts): Factor | undefined {
  if (peg === undefined) return undefined;
  const question = 'Is it worth what it should be?';
  if (pegDeviation === undefined)
    return { question, known: false, times: 1, answer: unknown(`Its distance from ${peg} is`) };
  return {
    question,
    known: true,
    times: 1,
    answer: `${percent(pegDeviation)} away from its peg to ${peg}.`,
  };
}

function floors({ dead, pegDeviation }: AssetFacts): Floor[] {
  const floors: Floor[] = [];
  if (dead) floors.push({ grade: 'F', because: 'it is dead' });
  const off = PEG_FLOORS.find(({ from }) => pegDeviation !== undefined && pegDeviation > from);
  if (off) floors.push({ grade: off.grade, because: 'it is far off its peg' });
  return floors;
}
