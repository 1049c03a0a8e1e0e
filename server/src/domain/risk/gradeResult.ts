import type { Grade } from './graph.ts';

/** The outcome of grading one node: what is kept beside it. */
export interface GradeResult {
  readonly grade: Grade;
  /** 1 to 100, higher is safer: the snapshot's riskScore. Never in a paid answer. */
  readonly score: number;
  /** Share of the facts that the method asks for and that are known, 0 to 1. */
  readonly coverage: number;
  /** Why, in plain words; the last row is "Why this grade?". */
  readonly breakdown: readonly { readonly question: string; readonly answer: string }[];
  readonly methodVersion: string;
  /** Of everything that the grade was computed from. */
  readonly inputHash: string;
}
