import type { Past } from './cases.ts';
import { THEN } from './lists.ts';
import type { Server } from './server.ts';

/** What the shipped method says of one protocol of 2022-11, for whoever knows what became of the other half. */
export interface Score {
  readonly id: string;
  /** Of a loss, with all it depends on; percent per year. The grade may be held below it by what cannot be told. */
  readonly loss: number;
  /** The same of the protocol by itself. */
  readonly ownLoss: number;
  /** Of being given up; percent per year. */
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
