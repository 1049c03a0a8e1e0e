import type { Past } from './cases.ts';
import { THEN } from './lists.ts';
import type { Server } from './server.ts';

/** The shipped method's result for a protocol of 2022-11, for a reader who knows the outcomes of the other half. */
export interface Score {
  readonly id: string;
  /** Hazard of a loss including dependencies, in percent per year. Unknown facts can lower the grade further. */
  readonly loss: number;
  /** The same for the protocol alone. */
  readonly ownLoss: number;
  /** Hazard of closure, in percent per year. */
  readonly closure: number;
  readonly grade: string;
  /** Whether the weights were fitted on its half. */
  readonly fittedOn: boolean;
}

export function scoresOf({ cases, graph }: Past, server: Server): Score[] {
  const assess = server.assess(graph, THEN);
  return cases.map(({ id, nodeId, facts, around, outcome }) => {
    const { sum, hazard } = assess(nodeId);
    return {
      id,
      loss: sum,
      ownLoss: server.lossHazard(facts, THEN, around),
      closure: server.closureHazard(facts),
      grade: server.gradeOf(hazard),
      fittedOn: outcome !== undefined,
    };
  });
}
