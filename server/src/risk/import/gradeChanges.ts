import type { Grade, RiskNode } from '../../domain/risk/graph.ts';
import type { GraphChange } from '../../store/risk/change.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import type { Queryable } from '../../store/store.ts';
import type { GradeWork } from '../thread/gradeWork.ts';
import type { Running } from '../thread/running.ts';

/** A node whose grade an import changes, with what changed in it or in its dependencies. */
export interface GradeChange {
  readonly id: string;
  readonly from: Grade;
  readonly to: Grade;
  readonly because: readonly ChangedFact[];
}

export interface ChangedFact {
  readonly id: string;
  /** Names of the changed facts; `edges` for dependencies, `new` for a new node. */
  readonly facts: readonly string[];
}

/** No fact changed: an incident became older than the method's look-back period. */
export const TIME_PASSED = 'time';

/** Returns every grade that changes in the next version, each with the facts that may have changed it. */
export async function getGradeChanges(
  db: Queryable,
  change: GraphChange,
  work: Running<GradeWork>,
): Promise<GradeChange[]> {
  const changes = await riskGrades.getChanged(db, change.version);
  if (changes.length === 0) return [];
  const causes = await work.call(
    'causes',
    changes.map(({ id }) => id),
  );
  const ids = [...new Set(causes.flat())];
  const before = byId(await riskNodes.getOfIds(db, ids));
  const after = byId(await riskNodes.getOfIds(db, ids, change.version));
  return changes.map(({ id, from, to }, place) => {
    const because = causes[place]!.map((cause) => ({
      id: cause,
      facts: changedFacts(before.get(cause), after.get(cause)),
    }));
    return { id, from, to, because: because.length > 0 ? because : [{ id, facts: [TIME_PASSED] }] };
  });
}

/** "tvlUsd", or "incidents of protocol:alpha". */
export function becauseText({ id, because }: GradeChange): string {
  return because
    .map((cause) => `${cause.facts.join(', ')}${cause.id === id ? '' : ` of ${cause.id}`}`)
    .join('; ');
}

function changedFacts(before: RiskNode | undefined, after: RiskNode | undefined): string[] {
  if (before === undefined) return ['new'];
  const [old, fresh] = [before.facts, after?.facts ?? {}] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(old!), ...Object.keys(fresh!)])].sort();
  const changed = names.filter(
    (name) => JSON.stringify(old![name]) !== JSON.stringify(fresh![name]),
  );
  // Without a changed fact, its edges have changed.
  return changed.length > 0 ? changed : ['edges'];
}

function byId(nodes: readonly RiskNode[]): Map<string, RiskNode> {
  return new Map(nodes.map((node) => [node.id, node]));
}
