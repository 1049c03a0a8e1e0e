import type { Case, Past } from './cases.ts';
import { THEN } from './lists.ts';
import { exactInterval } from './measure.ts';
import { lost, YEARS } from './outcomes.ts';
import { type Estimate, round } from './rankings.ts';
import type { Assessed, Facts, Server } from './server.ts';

export interface Observed {
  readonly of: number;
  readonly lost: number;
  readonly yearly: Estimate;
}

export interface GradeRow extends Observed {
  readonly grade: string;
  readonly from: number;
  readonly upTo: number | null;
}

/** Hazards of each case, fitted without it, in percent per year. */
export interface CrossFitted {
  readonly loss: number;
  readonly closure: number;
}

/** Returns each case's hazard including its dependencies, from hazards that were fitted without it. */
export function wholeHazards(
  { cases, graph }: Past,
  fitted: readonly CrossFitted[],
  server: Server,
): Assessed[] {
  const byNode = new Map(cases.map(({ nodeId }, place) => [nodeId, fitted[place]!]));
  const assess = server.assess(graph, THEN, (node, now, around) => {
    const own = server.own(node, now, around);
    const other = byNode.get(node.id);
    if (other === undefined) return own;
    const caps = server.closureCaps(node.facts as unknown as Facts, other.closure);
    const atLeast = Math.max(...caps.map(({ grade }) => server.leastHazard(grade)));
    return { ...own, hazard: other.loss, atLeast };
  });
  return cases.map(({ nodeId }) => assess(nodeId));
}

export function gradeRows(
  cases: readonly Case[],
  assessed: readonly Assessed[],
  server: Server,
  within: (one: Case) => boolean = () => true,
): GradeRow[] {
  const grades = assessed.map(({ hazard }) => server.gradeOf(hazard));
  const steps = [...server.cutoffs, { grade: 'F', upToPercent: null }];
  return steps.map(({ grade, upToPercent }, step) => {
    const those = cases.filter((one, place) => grades[place] === grade && within(one));
    return {
      grade,
      from: step === 0 ? 0 : steps[step - 1]!.upToPercent!,
      upTo: upToPercent,
      ...observed(those.length, those.filter((one) => lost(one)).length),
    };
  });
}

/** Converts a share over the full period to an annual rate in percent. */
export function observed(of: number, happened: number): Observed {
  const yearly = (share: number) => round(-100 * Math.expm1(Math.log1p(-share) / YEARS), 2);
  const { low, high } = of === 0 ? { low: 0, high: 1 } : exactInterval(happened, of);
  return {
    of,
    lost: happened,
    yearly: { value: of === 0 ? 0 : yearly(happened / of), low: yearly(low), high: yearly(high) },
  };
}
