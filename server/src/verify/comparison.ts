export type Figure = bigint | number | null | 'missing';

/** Compares values in one location, and records a difference with both values. */
export interface Comparison {
  readonly location: string;
  readonly figures: number;
  readonly differences: readonly string[];
  same(what: string, served: Figure, truth: Figure): void;
  /** Allows for rounding. */
  near(what: string, served: bigint | null, truth: bigint | null, by: bigint): void;
  atMost(what: string, served: bigint | null, most: bigint): void;
  /** For other checks: `wrong` is the error message, or null if the check passes. */
  holds(wrong: string | null): void;
}

export function compareAt(location: string): Comparison {
  let figures = 0;
  const differences: string[] = [];
  return {
    location,
    get figures() {
      return figures;
    },
    differences,
    same(what, served, truth) {
      compare(what, served, truth, served === truth);
    },
    near(what, served, truth, by) {
      const known = served !== null && truth !== null;
      const close = known && served - truth <= by && truth - served <= by;
      compare(what, served, truth, close || served === truth);
    },
    atMost(what, served, most) {
      compare(what, served, `at most ${most}`, served !== null && served <= most);
    },
    holds(wrong) {
      figures++;
      if (wrong !== null) differences.push(`${location}: ${wrong}`);
    },
  };

  function compare(what: string, served: Figure, truth: Figure | string, fits: boolean): void {
    figures++;
    if (fits) return;
    differences.push(`${location}: ${what} is served as ${served}, the chain reports ${truth}`);
  }
}

/** The results of checking one family. */
export interface FamilyReport {
  readonly compared: readonly Comparison[];
  /** What could not be checked, and why. */
  readonly unchecked: readonly string[];
  /** Observations for the operator that are not differences. */
  readonly notices?: readonly string[];
  /** Topics that the vaults emit and the indexer does not decode. */
  readonly undecoded?: readonly string[];
}

export function joinReports(reports: readonly FamilyReport[]): Required<FamilyReport> {
  return {
    compared: reports.flatMap(({ compared }) => compared),
    unchecked: reports.flatMap(({ unchecked }) => unchecked),
    notices: reports.flatMap(({ notices }) => notices ?? []),
    undecoded: reports.flatMap(({ undecoded }) => undecoded ?? []),
  };
}

/** Differences first, each below its location; then passed checks and observations. */
export function describeReport(
  report: Pick<Required<FamilyReport>, 'compared' | 'unchecked' | 'notices'>,
): string[] {
  const describe = ({ location, figures, differences }: Comparison) => {
    const found = differences.length === 0 ? 'no difference' : `${differences.length} DIFFERENT`;
    return [
      `${location}: ${figures} figures compared, ${found}`,
      ...differences.map((difference) => `DIFFERENT ${difference}`),
    ];
  };
  const { compared, unchecked, notices } = report;
  const isWrong = ({ differences }: Comparison) => differences.length > 0;
  return [
    ...compared.filter(isWrong).flatMap(describe),
    ...unchecked.map((text) => `NOT CHECKED ${text}`),
    ...compared.filter((one) => !isWrong(one)).flatMap(describe),
    ...notices,
  ];
}
