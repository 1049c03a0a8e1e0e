import { GRADES, type Grade } from '../../domain/risk/graph.ts';
import { leastHazard, MAX_HAZARD } from './method.ts';

export interface Row {
  readonly question: string;
  readonly answer: string;
}

/** While `because` holds, the node grades `grade` or worse. */
export interface Floor {
  readonly grade: Grade;
  readonly because: string;
}

/** What a node brings by itself, before anything that it depends on. */
export interface OwnHazard {
  /** Of a loss; percent per year. */
  readonly hazard: number;
  /** The node, and what rests on it with its whole weight, has no less than this over all; percent per year. */
  readonly atLeast: number;
  /** Why it has no less. */
  readonly heldBy?: string;
  readonly rows: readonly Row[];
  /** How many of the facts that the method asks for are known. */
  readonly known: number;
  readonly asked: number;
  readonly floors: readonly Floor[];
  /** Why the hazard is more than the factors make of it: the floor that raises it. */
  readonly raisedBy?: string;
  /** In a few words, what raises the hazard most; told in "Why this grade?". */
  readonly worst: readonly string[];
  /** How others like it fared, in counts. */
  readonly likeIt?: string;
}

/** One factor as it applies to a node. */
export interface Factor extends Row {
  /** What the hazard is multiplied with. */
  readonly times: number;
  /** False when the fact is missing; undefined when the factor is not a fact that is asked for. */
  readonly known?: boolean;
  /** Said in "Why this grade?" when the factor raises the hazard. */
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
/** In USD, of a protocol or a pool. */
export const TOLD_FROM = 1e5;
/** No count shows that so few are lost, so it is not claimed. */
export const NO_A: Floor = {
  grade: 'B',
  because: 'public facts alone earn no A',
};

/**
 * Multiplies the factors out and applies the floors. Caps say that something cannot be told: they hold a grade
 * down without being a hazard, as five things of which little is known are no worse than one.
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
    // That nothing here earns an A goes without saying, except where it is what decides.
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
