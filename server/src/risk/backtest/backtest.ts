import type { Grade } from '../../domain/risk/graph.ts';
import type { Backtest, Estimate, GradeRow, Observed, Ranking } from './backtestShape.ts';

const spread = (value: number, low: number, high: number): Estimate => ({ value, low, high });
const observed = (of: number, lost: number, yearly: Estimate): Observed => ({ of, lost, yearly });
const grade = (letter: Grade, from: number, upTo: number | null, seen: Observed): GradeRow => ({
  grade: letter,
  from,
  upTo,
  ...seen,
});

/**
 * What `npm run bench:risk` measured for this version of the method. A test on the data itself, where it is at hand, fails
 * when these figures are no longer what it measures.
 */
export const BACKTEST: Backtest = {
  facts: '2022-11',
  from: '2022-12',
  to: '2026-08',
  months: 45,
  protocols: 842,
  loss: [
    ranking(
      'loss of at least 1%, above 1 million USD',
      363,
      37,
      0.569,
      spread(0.797, 0.725, 0.864),
      spread(0.229, 0.11, 0.322),
    ),
    ranking(
      'the same, only incidents of high confidence',
      363,
      35,
      0.576,
      spread(0.796, 0.719, 0.865),
      spread(0.22, 0.105, 0.32),
    ),
    ranking(
      'loss of any share, above 1 million',
      363,
      45,
      0.596,
      spread(0.785, 0.712, 0.849),
      spread(0.19, 0.084, 0.281),
    ),
    ranking(
      'loss of at least 10%, above 1 million',
      363,
      24,
      0.515,
      spread(0.76, 0.656, 0.851),
      spread(0.246, 0.084, 0.321),
    ),
    ranking(
      'at least 1%, up to 1 million',
      479,
      8,
      0.665,
      spread(0.485, 0.305, 0.665),
      spread(-0.181, -0.382, -0.012),
    ),
    ranking(
      'at least 1%, 1 to 10 million',
      206,
      19,
      0.572,
      spread(0.784, 0.657, 0.893),
      spread(0.212, 0.01, 0.352),
    ),
    ranking(
      'at least 1%, 10 to 100 million',
      122,
      12,
      0.526,
      spread(0.807, 0.697, 0.898),
      spread(0.281, 0.055, 0.372),
    ),
    ranking(
      'at least 1%, above 100 million',
      35,
      6,
      0.609,
      spread(0.736, 0.569, 0.92),
      spread(0.126, -0.092, 0.287),
    ),
    ranking(
      'at least 1%, all sizes',
      842,
      45,
      0.747,
      spread(0.766, 0.687, 0.84),
      spread(0.019, -0.049, 0.081),
    ),
  ],
  sizes: [
    { size: 'up to 100 thousand USD', protocols: 263, lost: 2, expected: 18 },
    { size: '100 thousand to 1 million', protocols: 216, lost: 6, expected: 17.9 },
    { size: '1 to 10 million', protocols: 206, lost: 19, expected: 18.9 },
    { size: '10 to 100 million', protocols: 122, lost: 12, expected: 13.9 },
    { size: 'above 100 million', protocols: 35, lost: 6, expected: 4.8 },
  ],
  overTime: [
    {
      learned: 'losses up to 2024-05',
      judged: 'losses from 2024-06',
      happened: 15,
      auc: spread(0.751, 0.607, 0.869),
    },
    {
      learned: 'losses from 2024-06',
      judged: 'losses up to 2024-05',
      happened: 20,
      auc: spread(0.657, 0.521, 0.789),
    },
  ],
  grades: [
    grade('A', 0, 0.8, observed(0, 0, spread(0, 0, 100))),
    grade('B', 0.8, 3, observed(211, 8, spread(1.03, 0.44, 2.01))),
    grade('C', 3, 8, observed(134, 20, spread(4.22, 2.59, 6.44))),
    grade('D', 8, 32, observed(18, 9, spread(16.88, 7.72, 30.16))),
    grade('F', 32, null, observed(0, 0, spread(0, 0, 100))),
  ],
  gradesOfAll: [
    grade('A', 0, 0.8, observed(0, 0, spread(0, 0, 100))),
    grade('B', 0.8, 3, observed(276, 11, spread(1.08, 0.54, 1.92))),
    grade('C', 3, 8, observed(543, 25, spread(1.25, 0.81, 1.84))),
    grade('D', 8, 32, observed(23, 9, spread(12.4, 5.69, 22.45))),
    grade('F', 32, null, observed(0, 0, spread(0, 0, 100))),
  ],
  singleFacts: [
    { fact: 'lending', with: [58, 15], without: [305, 22], auc: 0.637 },
    { fact: 'exchange', with: [137, 8], without: [226, 29], auc: 0.41 },
    { fact: 'runs on a rollup', with: [63, 18], without: [300, 19], auc: 0.674 },
    {
      fact: 'on several chains; AUC of their number',
      with: [115, 20],
      without: [248, 17],
      auc: 0.637,
    },
    { fact: 'fork of Compound or Aave', with: [24, 10], without: [339, 27], auc: 0.614 },
    { fact: 'another fork', with: [87, 5], without: [276, 32], auc: 0.442 },
    {
      fact: 'has a pool among the 500 largest; AUC of their yield',
      with: [48, 12],
      without: [315, 25],
      auc: 0.614,
    },
    { fact: 'one of these yields above 50%', with: [2, 1], without: [361, 36], auc: 0.512 },
    { fact: 'price source named', with: [86, 13], without: [277, 24], auc: 0.564 },
    { fact: 'audit flag', with: [247, 25], without: [116, 12], auc: 0.497 },
    {
      fact: 'listed for over a year; AUC of its age',
      with: [184, 18],
      without: [179, 19],
      auc: 0.513,
    },
    { fact: 'token with a market value', with: [177, 23], without: [186, 14], auc: 0.575 },
    { fact: 'liquidity mining of the own token', with: [34, 2], without: [329, 35], auc: 0.478 },
    {
      fact: 'TVL above 10 million USD; AUC of TVL',
      with: [157, 18],
      without: [206, 19],
      auc: 0.569,
    },
  ],
  tried: [
    { set: 'as shipped', auc: 0.79, gain: spread(0.221, 0.099, 0.32) },
    { set: 'with TVL as a free curve', auc: 0.775, gain: spread(0.207, 0.086, 0.306) },
    { set: 'with audit flag', auc: 0.783, gain: spread(0.214, 0.093, 0.312) },
    { set: 'with years since listing', auc: 0.787, gain: spread(0.219, 0.097, 0.318) },
    { set: 'with price source named', auc: 0.782, gain: spread(0.214, 0.092, 0.314) },
    { set: 'with token', auc: 0.779, gain: spread(0.211, 0.089, 0.309) },
    { set: 'with other forks', auc: 0.782, gain: spread(0.214, 0.091, 0.311) },
    {
      set: 'with a large pool listed, regardless of its yield',
      auc: 0.79,
      gain: spread(0.222, 0.109, 0.313),
    },
    {
      set: 'with liquidity mining of the own token',
      auc: 0.792,
      gain: spread(0.224, 0.104, 0.321),
    },
    { set: 'with runs on Ethereum', auc: 0.78, gain: spread(0.211, 0.088, 0.312) },
    { set: 'with all of these', auc: 0.76, gain: spread(0.192, 0.076, 0.285) },
    { set: 'without kind', auc: 0.727, gain: spread(0.159, 0.009, 0.283) },
    { set: 'without number of chains', auc: 0.769, gain: spread(0.2, 0.066, 0.309) },
    { set: 'without rollup', auc: 0.775, gain: spread(0.206, 0.087, 0.297) },
    { set: 'without fork of Compound or Aave', auc: 0.772, gain: spread(0.203, 0.084, 0.3) },
    { set: 'without yield of its pools', auc: 0.75, gain: spread(0.182, 0.033, 0.296) },
    {
      set: 'fitted over all sizes, with TVL as a free curve',
      auc: 0.778,
      gain: spread(0.21, 0.095, 0.296),
    },
    { set: 'regularized half as strongly', auc: 0.785, gain: spread(0.216, 0.095, 0.316) },
    { set: 'regularized twice as strongly', auc: 0.781, gain: spread(0.213, 0.087, 0.31) },
  ],
  closure: ranking(
    'closed by 2026-04',
    833,
    384,
    0.775,
    spread(0.795, 0.763, 0.826),
    spread(0.019, 0.001, 0.038),
  ),
  stablecoins: [
    { kind: 'fiat-backed', ...observed(7, 0, spread(0, 0, 13.11)), unknown: 2, claimed: 2.3 },
    {
      kind: 'crypto-backed',
      ...observed(22, 4, spread(5.21, 1.41, 12.85)),
      unknown: 7,
      claimed: 5.2,
    },
    {
      kind: 'algorithmic',
      ...observed(8, 3, spread(11.78, 2.35, 31.29)),
      unknown: 1,
      claimed: 11.3,
    },
  ],
  stablecoinAuc: spread(0.679, 0.498, 0.85),
  dependencies: [
    {
      outcome: 'a loss through a dependency, all sizes',
      happened: 9,
      own: 0.634,
      whole: 0.618,
      gain: spread(-0.016, -0.07, 0.034),
    },
    {
      outcome: 'a loss of at least 1% of its own, or one through a dependency, above 1 million USD',
      happened: 41,
      own: 0.79,
      whole: 0.788,
      gain: spread(-0.002, -0.027, 0.027),
    },
  ],
  again: { of: 78, lost: 10, expected: 7.3 },
};

function ranking(
  group: string,
  protocols: number,
  happened: number,
  sizeAlone: number,
  crossFitted: Estimate,
  gain: Estimate,
): Ranking {
  return { group, protocols, happened, sizeAlone, crossFitted, gain };
}
