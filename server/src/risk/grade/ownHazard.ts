import { GRADES, type Grade } from '../../domain/risk/graph.ts';
import { leastHazard, MAX_HAZARD } from './method.ts';

export interface Row {
  readonly question: string;
  readonly answer: string;
}

/** While `because` applies, the node is graded `grade` or worse. */
export interface Floor {
  readonly grade: Grade;
  readonly because: string;
}

/** The hazard of a node without its dependencies. */
export interface OwnHazard {
  /** Hazard of a loss; percent per year. */
  readonly hazard: number;
  /** Minimum total hazard of the node, and of nodes that depend on it with weight 1; percent per year. */
  readonly atLeast: number;
  /** Reason of the minimum. */
  readonly heldBy?: string;
  readonly rows: readonly Row[];
  /** Number of the method's facts that are known. */
  readonly known: number;
  readonly asked: number;
  readonly floors: readonly Floor[];
  /** The floor that raises the hazard above the product of the factors. */
  readonly raisedBy?: string;
  /** Short descriptions of what raises the hazard most, for "Why this grade?". */
  readonly worst: readonly string[];
  /** How similar nodes fared, in counts. */
  readonly likeIt?: string;
}

/** One factor applied to a node. */
export interface Factor extends Row {
  /** Multiplier of the hazard. */
  readonly times: number;
  /** False if the fact is missing; undefined if the factor needs no fact. */
  readonly known?: boolean;
  /** Used in "Why this grade?" if the factor raises the hazard. */
  readonly short?: string;
}

export const FEW_KNOWN: Floor = {
  grade: 'C',
  because: 'fewer than half of the facts asked for are known',
};
export const TOO_SMALL: Floor = {
  grade: 'C',
  because: 'it is too small to tell: losses there are seldom reported',
};
/** In USD, for a protocol or a pool. */
export const MIN_REPORTED_USD = 1e5;
/** No sample shows losses this rare, so no grade claims them. */
export const NO_A: Floor = {
  grade: 'B',
  because: 'public facts alone earn no A',
};

/**
 * Multiplies the factors and applies the floors. Caps mark missing evidence: they limit a grade without adding hazard,
 * because five unknown dependencies are no worse than one.
 */
export function combine(
  anchor: number,
  factors: readonly Factor[],
  floors: readonly Floor[],
  caps: readonly Floor[] = [],
): OwnHazard {
  const facts = factors.filter(({ known }) => known !== undefined);
  const known = facts.filter((factor) => factor.known).length;
  const holding = known * 2 < facts.length ? [FEW_KNOWN, ...caps] : caps;
  const [cap] = [...holding].sort(worstFirst);
  const product = factors.reduce((hazard, { times }) => hazard * times, anchor);
  const raising = floors.filter(({ grade }) => leastHazard(grade) > product).sort(worstFirst)[0];
  const hazard = raising === undefined ? product : leastHazard(raising.grade);
  return {
    hazard: Math.min(MAX_HAZARD, hazard),
    atLeast: cap === undefined ? 0 : leastHazard(cap.grade),
    ...(cap !== undefined && { heldBy: cap.because }),
    rows: factors.map(({ question, answer }) => ({ question, answer })),
    known,
    asked: facts.length,
    // NO_A is mentioned only if it decides the grade.
    floors: [...floors, ...holding.filter((each) => each !== NO_A)],
    ...(raising !== undefined && { raisedBy: raising.because }),
    worst: factors
      .filter(({ times, short }) => times > 1 && short !== undefined)
      .sort((a, b) => b.times - a.times)
      .slice(0, 2)
      .map(({ short }) => short!),
  };
}

export function worstFirst(a: Floor, b: Floor): number {
  return GRADES.indexOf(b.grade) - GRADES.indexOf(a.grade);
}
