import type { EdgeType } from '../../domain/risk/graph.ts';

/** A share is the part of the source that depends on the target. */
export type EdgeWeight = number | 'its share' | '1; of a protocol, the share of its TVL there';

/** How much of the target's hazard an edge passes on. Importers store the weight; this documents it. */
export const EDGE_WEIGHTS: Readonly<Record<EdgeType, EdgeWeight>> = {
  LIVES_ON: '1; of a protocol, the share of its TVL there',
  OPERATED_BY: 1,
  ACCEPTS_DEPOSITS_IN: 1,
  IS_COLLATERALIZED_BY: 'its share',
  ISSUED_BY: 1,
  SETTLES_TO: 1,
  ALLOCATES: 'its share',
  PRICED_BY: 0.25,
};
