/** Limits of the back-test. */
export const LIMITS: readonly string[] = [
  'The AUC is optimistic. The facts were chosen on the same half, out of about forty sets, and 37 losses are few: expect 0.68 to 0.72 on new protocols. Weights fitted on the later losses alone rank the earlier ones with an AUC of 0.66.',
  'No known loss does not mean safe. Unreported losses count as none. Losses of large protocols on major chains are reported best. Up to 1 million USD, where 8 losses are known, the method has no predictive value, and the known losses are a fifth of what it predicts.',
  'Rollups, several chains, and a listed yield may partly show which protocols are monitored, not which ones fail. Within a size band, and for incidents of high confidence alone, the ranking holds.',
  'Exposure is counted as 45 months for all protocols, although many closed earlier. So the true rates of active protocols are somewhat higher.',
  'Shares of the TVL refer to 2022-11; the TVL on the day of the loss is unknown.',
  'D is wide because 18 protocols are too few to split. The rates of C and D are within their bands, but their intervals are not.',
  'Few protocols had several of the risk facts at once in 2022; most of the largest ones do today. Their grade D is based on those 18.',
  'F results from floors and from the sum over dependencies; no count supports its level.',
  'Stablecoins: seven depegs. The order by backing is plausible (its interval begins at 0.5), and the levels are not refuted; the size bands are judgment. Ten coins with an unknown outcome count as unharmed.',
  'Dependencies: most known losses through a dependency came from deposits in another protocol, which public lists do not contain. So adding dependencies has not improved the ranking. They stay because pools and bridged assets do depend on them; chains have the low level that was observed.',
  'Pools, chains, and assets other than stablecoins were not counted; their hazards are judgment, and so is the factor for upgrade rights.',
  'A protocol whose pools are not listed counts as one without large pools.',
];

/** Facts that were tested, and why each is or is not in the method. */
export const TRIED: readonly string[] = [
  'Used: kind of protocol in nine wide groups; number of chains; running on a rollup; being a fork of Compound or Aave, in which the same bug was found repeatedly; the yield of its large pools.',
  'Not used, because they did not separate losses: the audit flag, time since listing, a named price source, a token and its value, other forks, liquidity mining, running on Ethereum. Readers expect audits and age, but any weight would be invented.',
  'Not used: size. With a free curve it makes no difference above 1 million USD; below, it mostly shows which protocols are monitored. It determines closure.',
  'Not used: yields above 50%, which only two protocols had. The yield of large pools counts up to 10%; beyond that it adds no information.',
  'Not used: names of chains. They separate the losses of 2022 better than any other fact, but only for 2022.',
  'An earlier incident: there is little data after a first one, so its weight is small. For 30 days it means F, by judgment.',
  'Chains: protocols on small chains lost no more than their own facts predict. Hazards of 2% and 6% a year for small chains were ten times too high and are floors now.',
  'Pools: weights by TVL and by high yield were removed, for the same reasons.',
  'One hazard for losses and closure (method 2026-11.2): AUC 0.29 for losses of all sizes, 0.50 above 1 million USD. It graded 112 protocols A, of which 14 lost.',
];
