export type Figure = bigint | number | null | 'missing';

/** Figures of one place, compared; a difference is told with both values. */
export interface Comparison {
  readonly place: string;
  readonly figures: number;
  readonly differences: readonly string[];
  same(what: string, served: Figure, truth: Figure): void;
  /** The same but for what rounding may take or give. */
  near(what: string, served: bigint | null, truth: bigint | null, by: bigint): void;
  atMost(what: string, served: bigint | null, most: bigint): void;
  /** For what is not two figures: `wrong` says what is the matter, null that nothing is. */
  holds(wrong: string | null): void;
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
      if (wrong !== null) differences.push(`${place}: ${wrong}`);
    },
  };

  function compare(what: string, served: Figure, truth: Figure | string, fits: boolean): void {
    figures++;
    if (fits) return;
    differences.push(`${place}: ${what} is served as ${served}, the chain says ${truth}`);
  }
}

/** What was found out about one family. */
export interface FamilyReport {
  readonly compared: readonly Comparison[];
  /** What could not be checked, and why. */
  readonly unchecked: readonly string[];
  /** What an operator should know, and is no difference. */
  readonly told?: readonly string[];
  /** Topics that the vaults emit and nobody reads. */
  readonly undecoded?: readonly string[];
}

export function joinReports(reports: readonly FamilyReport[]): Required<FamilyReport> {
  return {
    compared: reports.flatMap(({ compared }) => compared),
    unchecked: reports.flatMap(({ unchecked }) => unchecked),
    told: reports.flatMap(({ told }) => told ?? []),
    undecoded: reports.flatMap(({ undecoded }) => undecoded ?? []),
  };
}

/** What was found first, each difference below its place; then what is as it should be, and what is only told. */
export function describeReport(
  report: Pick<Required<FamilyReport>, 'compared' | 'unchecked' | 'told'>,
): string[] {
  const describe = ({ place, figures, differences }: Comparison) => {
    const found = differences.length === 0 ? 'no difference' : `${differences.length} DIFFERENT`;
    return [
      `${place}: ${figures} figures compared, ${found}`,
      ...differences.map((difference) => `DIFFERENT ${difference}`),
    ];
  };
  const { compared, unchecked, told } = report;
  const isWrong = ({ differences }: Comparison) => differences.length > 0;
  return [
    ...compared.filter(isWrong).flatMap(describe),
    ...unchecked.map((text) => `NOT CHECKED ${text}`),
    ...compared.filter((one) => !isWrong(one)).flatMap(describe),
    ...told,
  ];
}
