import type { Grade } from '../../domain/risk/graph.ts';

/** A figure with the interval that holds it in 95 of 100 cases. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** How well an order foretold an outcome in one group of protocols. */
export interface Ranking {
  readonly group: string;
  readonly protocols: number;
  readonly happened: number;
  /** AUC of TVL, whichever direction is the better one. */
  readonly sizeAlone: number;
  readonly crossFitted: Estimate;
  readonly gain: Estimate;
}

/** Protocols of one size: those that lost, and how many the cross-fitted hazards would have. */
export interface SizeRow {
  readonly size: string;
  readonly protocols: number;
  readonly lost: number;
  readonly expected: number;
}

/** What was observed of a group within a year, in percent, with its exact (Clopper–Pearson) interval. */
export interface Observed {
  readonly of: number;
  readonly lost: number;
  readonly yearly: Estimate;
}

export interface GradeRow extends Observed {
  readonly grade: Grade;
  /** What the grade claims, in percent a year. */
  readonly from: number;
  readonly upTo: number | null;
}

/** One fact by itself, among protocols above 1 million USD. */
export interface FactRow {
  readonly fact: string;
  readonly with: readonly [of: number, lost: number];
  readonly without: readonly [of: number, lost: number];
  readonly auc: number;
}

/** What the model would be with another set of facts; AUC above 1 million USD, cross-fitted. */
export interface TriedRow {
  readonly set: string;
  readonly auc: number;
  readonly gain: Estimate;
}

export interface BackingRow extends Observed {
  readonly kind: string;
  /** Coins of which it is not known whether they lost their peg; not counted as lost. */
  readonly unknown: number;
  /** What the method says of them, the mean, in percent a year. */
  readonly claimed: number;
}

/** Everything that `npm run bench:risk` measures of the method. */
export interface Backtest {
  /** Month of the facts. */
  readonly facts: string;
  /** First and last month in which losses were counted. */
  readonly from: string;
  readonly to: string;
  readonly months: number;
  readonly protocols: number;
  readonly loss: readonly Ranking[];
  readonly sizes: readonly SizeRow[];
  /** Above 1 million USD: weights learned from the losses of one time, judged by those of another. */
  readonly overTime: readonly {
    readonly learned: string;
    readonly judged: string;
    readonly happened: number;
    readonly auc: Estimate;
  }[];
  /** Above 1 million USD, with hazards that never saw the protocol they grade. */
  readonly grades: readonly GradeRow[];
  /** The same over all sizes; small ones are seldom reported. */
  readonly gradesOfAll: readonly GradeRow[];
  readonly singleFacts: readonly FactRow[];
  readonly tried: readonly TriedRow[];
  readonly closure: Ranking;
  readonly stablecoins: readonly BackingRow[];
  readonly stablecoinAuc: Estimate;
  /** Own hazard against that with all it depends on. */
  readonly dependencies: readonly {
    readonly outcome: string;
    readonly happened: number;
    readonly own: number;
    readonly whole: number;
    readonly gain: Estimate;
  }[];
  /** Protocols that lost again after an incident, and how many would have without it. */
  readonly again: { readonly of: number; readonly lost: number; readonly expected: number };
}
