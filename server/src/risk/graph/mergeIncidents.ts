import type { Incident } from '../../domain/risk/graph.ts';

/** Sources date one incident up to a day apart, by time zone or by when it was noticed. */
const SAME = 2 * 86_400;

/**
 * Merges the incidents of all sources, highest source first; the result is oldest first. A source with an old incident
 * does not rule out newer ones, so incidents are combined. If several sources contain one incident, the highest one
 * counts. Incidents of one source are always distinct.
 */
export function mergeIncidents(bySource: readonly (readonly Incident[])[]): Incident[] {
  const found: Incident[] = [];
  for (const incidents of bySource) {
    const earlier = found.slice();
    found.push(...incidents.filter(({ at }) => earlier.every((each) => !isSame(each.at, at))));
  }
  return found.sort((a, b) => a.at - b.at);
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) < SAME;
}
