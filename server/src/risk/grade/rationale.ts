import type { EdgeType, Grade } from '../../domain/risk/graph.ts';
import type { Floor, OwnHazard, Row } from './ownHazard.ts';

export interface Dependency {
  readonly type: EdgeType;
  readonly name: string;
  readonly grade: Grade;
}

/** A node that contributes to a grade. */
export interface Weight {
  /** Undefined: the node itself. */
  readonly name: string | undefined;
  /** The floor that raises its hazard. */
  readonly because: string | undefined;
}

/** A floor of a node that this one depends on with weight 1. */
export interface PassedFloor extends Floor {
  readonly name: string;
}

export interface Reasons {
  readonly grade: Grade;
  readonly own: OwnHazard;
  readonly dependencies: readonly Dependency[];
  /** The largest contributions, heaviest first. */
  readonly heaviest: readonly Weight[];
  readonly passedFloors: readonly PassedFloor[];
  /** How similar nodes fared, in counts. */
  readonly likeIt: string;
}

const QUESTIONS: Readonly<Record<EdgeType, string>> = {
  LIVES_ON: 'Which chain does it run on?',
  OPERATED_BY: 'Whose contracts does it run on?',
  ACCEPTS_DEPOSITS_IN: 'What does it take in?',
  IS_COLLATERALIZED_BY: 'What backs it?',
  ISSUED_BY: 'Who issues it?',
  SETTLES_TO: 'Which chain does it settle on?',
  ALLOCATES: 'Where does it put the money?',
  PRICED_BY: 'Who gives it prices?',
};

/** Maximum floors in one response, so that the first stays visible. */
const MAX_FLOORS = 2;

/**
 * Returns one row per factor, one per direct dependency, how similar nodes fared, and why. May contain observed counts,
 * but no numbers of the method.
 */
export function breakdown(reasons: Reasons): Row[] {
  return [
    ...reasons.own.rows,
    ...reasons.dependencies.map(({ type, name, grade }) => ({
      question: QUESTIONS[type],
      answer: `${name}, graded ${grade}.`,
    })),
    { question: 'How did others like it fare?', answer: reasons.likeIt },
    { question: 'Why this grade?', answer: why(reasons) },
  ];
}

function why({ grade, own, heaviest, passedFloors }: Reasons): string {
  const sentences = [
    `${grade}: what weighs most is ${join(heaviest.map((each) => weighs(each, own)))}.`,
  ];
  const named = heaviest.flatMap(({ name, because }) =>
    name === undefined ? (because ?? []) : [],
  );
  for (const floor of own.floors.filter(({ because }) => !named.includes(because)))
    sentences.push(`It is graded ${atBest(floor)} while ${floor.because}.`);
  // A floor that the grade is below anyway explains nothing.
  const binding = passedFloors.filter((floor) => floor.grade === grade);
  for (const floor of binding.slice(0, MAX_FLOORS))
    sentences.push(
      `It is graded ${atBest(floor)} as long as it depends on ${floor.name}, where ${floor.because}.`,
    );
  if (binding.length > MAX_FLOORS)
    sentences.push(`The same applies to ${binding.length - MAX_FLOORS} more of its dependencies.`);
  const missing = own.asked - own.known;
  sentences.push(
    missing === 0
      ? 'Every fact that is asked for is known.'
      : `${own.known} of ${own.asked} facts that are asked for are known; what is not known is never taken as safe.`,
  );
  return sentences.join(' ');
}

function atBest({ grade }: Floor): string {
  return grade === 'F' ? 'F' : `${grade} or worse`;
}

function weighs({ name, because }: Weight, { worst }: OwnHazard): string {
  if (name !== undefined) return because === undefined ? name : `${name} (${because})`;
  if (because !== undefined) return `that ${because}`;
  return worst.length === 0 ? 'what it is itself' : `what it is itself (${join(worst)})`;
}

function join(words: readonly string[]): string {
  return words.join(', then ');
}
