/**
 * What `npm run bench:risk` measured for this version of the method. A test on the data itself, where it is at hand,
 * fails when these figures are no longer what it prints.
 */
export const BACKTEST = {
  facts: '2022-11',
  outcomes: '2026-04',
  protocols: 1620,
  /** About this part of the outcomes is shown; a protocol whose outcome is kept apart looks alive. */
  shownPart: 0.5,
  auc: [
    {
      outcome: 'later dead',
      happened: 384,
      tvlAlone: 0.708,
      startWeights: 0.679,
      crossFitted: 0.723,
      gain: { mean: 0.015, low: -0.001, high: 0.03 },
    },
    {
      outcome: 'rugged',
      happened: 8,
      tvlAlone: 0.789,
      startWeights: 0.785,
      crossFitted: 0.865,
      gain: { mean: 0.076, low: -0.025, high: 0.173 },
    },
  ],
  byGrade: [
    { grade: 'A', protocols: 245, dead: 6, rugged: 0 },
    { grade: 'B', protocols: 527, dead: 73, rugged: 0 },
    { grade: 'C', protocols: 506, dead: 158, rugged: 3 },
    { grade: 'D', protocols: 276, dead: 117, rugged: 1 },
    { grade: 'E', protocols: 49, dead: 20, rugged: 3 },
    { grade: 'F', protocols: 17, dead: 10, rugged: 1 },
  ],
  limits: [
    'Only about half of the outcomes are shown, so the true rates are about twice those told, and each AUC is nearer to one half than it would be with all of them. This touches every ranking alike.',
    'The gain over TVL alone is positive in the mean, but its interval touches zero for both outcomes: a gain that is likely, not proven.',
    'Eight rugs are few. One of them more or less moves the figure by several hundredths.',
    'The outcome is a closed or rugged protocol, not a loss of one percent of the principal, which is what a grade speaks of. The back-test supports the order of the grades; their level is judgement.',
    'The rows by grade use the shipped weights, which saw all of these protocols. The AUC marked cross-fitted did not.',
    'Protocols alone are tested: assets, chains, pools, upgrades, incidents and anything older than 18 months rest on judgement.',
  ],
} as const;
