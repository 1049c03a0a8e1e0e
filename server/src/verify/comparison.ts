export type Figure = bigint | number | null | 'missing';

/** Figures of one place, compared; a difference is told with both values. */
export interface Comparison {
  readonly place: string;
  readonly figures: number;
  readonly differences: readonly string[];
  same(what: string, served: Figure, truth: Figure): void;
}

export function compareAt(place: string): Comparison {
  let figures = 0;
  const differences: string[] = [];
  return {
    place,
    get figures() {
      return figures;
    },
    differences,
    same(what, served, truth) {
      figures++;
      if (served === truth) return;
      differences.push(`${place}: ${what} is served as ${served}, the chain says ${truth}`);
    },
  };
}

/** What was found out about one family. */
export interface FamilyReport {
  readonly compared: readonly Comparison[];
  /** What could not be checked, and why. */
  readonly unchecked: readonly string[];
}

/** One line per place, each difference below it. */
export function describeReport({ compared, unchecked }: FamilyReport): string[] {
  const lines = compared.flatMap(({ place, figures, differences }) => {
    const found = differences.length === 0 ? 'no difference' : `${differences.length} DIFFERENT`;
    return [
      `${place}: ${figures} figures compared, ${found}`,
      ...differences.map((difference) => `DIFFERENT ${difference}`),
    ];
  });
  return [...lines, ...unchecked.map((text) => `NOT CHECKED ${text}`)];
}
