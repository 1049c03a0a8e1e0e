import type { Incident } from '../../domain/risk/graph.ts';

/** Sources date one incident a day apart, by time zone or by when it was noticed. */
const SAME = 2 * 86_400;

/**
 * What all sources know of incidents, weightiest source first, oldest incident first in the result. They add up:
 * who knows of an old one has not said that there is no new one. Of one incident that several tell, the weightier
 * source has the word. Incidents of one source are never taken for each other.
 */
export function mergeIncidents(bySource: readonly (readonly Incident[])[]): Incident[] {
  const found: Incident[] = [];
  for (const incidents of bySource) {
    const told = found.slice();
    found.push(...incidents.filter(({ at }) => told.every((each) => !isSame(each.at, at))));
  }
  return found.sort((a, b) => a.at - b.at);
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) < SAME;
}
