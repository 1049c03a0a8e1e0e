/** What the figures of the back-test do not show. */
export const LIMITS: readonly string[] = [
  'The AUC is too kind. The facts were chosen on this very half, after some forty sets had been looked at, and 37 losses are few: on protocols that nobody has looked at expect 0.68 to 0.72. Learned from the later losses alone, the earlier ones are told with 0.66.',
  'Absence is not safety. A loss that nobody reported counts as none. Large protocols on well-watched chains are reported best; up to 1 million USD the method has shown no skill (8 losses known), and the losses known there are a fifth of what it expects.',
  'Part of what a rollup, several chains and a listed yield tell may be who is watched, not who is broken. Within a size, and with incidents of high confidence alone, the order stands.',
  'Exposure is counted as 45 months for all; many protocols closed on the way and had nothing left to lose. So true rates of those that live are somewhat higher.',
  'A share of the TVL is one of 2022-11; the TVL on the day of the loss is not known.',
  'D is wide because 18 protocols cannot be told apart any further. The rates of C and D lie in their bands, but their intervals reach beyond.',
  'Protocols that have several of the counted facts at once were few in 2022; of the largest of today most do. What their D claims rests on those 18.',
  'F is given by floors and by what adds up over dependencies; no count supports its level.',
  'Stablecoins: seven losses of a peg. The order by backing is plausible (its interval begins at one half) and the levels are not refuted; steps by size are judgement. Ten coins of unknown fate count as unharmed.',
  'Dependencies: the known losses through something else came mostly through deposits in another protocol, of which public lists have no edge. So adding what a protocol depends on has not shown to rank better than its own hazard. It stays because it is true of pools and bridged assets, with chains at the small level that was observed.',
  'Pools, chains and assets other than stablecoins were not counted; their hazards are judgement, and so is who can change a protocol.',
  'A protocol whose pools no list names is treated like one without large pools.',
];

/** What was tried, and why it is not in the method. */
export const TRIED: readonly string[] = [
  'In: kind of protocol in nine wide groups; number of chains; running on a rollup; being a fork of Compound or Aave, where one flaw was found again and again; what its large pools pay.',
  'Out, because they told no losses apart: the audit flag, time since listing, a named price source, a token and its value, other forks, liquidity mining, running on Ethereum. Readers ask for audits and age; a weight would be invented.',
  'Out: size. With a free curve it neither helps nor hurts above 1 million USD; below, it mostly tells who is watched. It decides closure.',
  'Out: yields above 50 %, as two protocols had one. The yield of large pools counts up to 10 %, where it stops telling more.',
  'Out: names of chains. They tell more than any other fact of 2022 and are a fashion of 2022.',
  'An earlier incident: little is known after a first one, so its weight is small. For 30 days it is an F by judgement.',
  'Chains: protocols on small chains lost no more than their own facts let expect. Hazards of 2 and 6 % a year for small chains were wrong by ten times and are floors now.',
  'Pools: weights by TVL and by a high yield are gone, for the same reasons.',
  'One hazard for losses and closure (method 2026-11.2): AUC 0.29 for losses over all sizes, 0.50 above 1 million USD. Graded A it held 112 protocols, of which 14 lost.',
];
