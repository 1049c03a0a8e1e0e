import { LABELS } from '../../domain/risk/graph.ts';
import { backtestText } from './backtestText.ts';
import { markdownTable } from './markdownTable.ts';
import type { Methodology, PublishedFactor } from './methodology.ts';

/** The method as a page for people, in Markdown; docs/methodology.md is this very text. */
export function methodologyPage(method: Methodology): string {
  return [
    '# How risk is graded',
    `Method ${method.version}. A grade claims how likely it is, within a year, to lose at least one percent of what was put in: by an exploit, a wrong price, a lost key, bad debt, a captured vote, a broken peg, or makers who take the money. It was held against real losses; what the counts cannot tell is said below. Grades order; they promise nothing.`,
    '## From facts to a grade',
    'Each node, be it a pool, an asset, a protocol or a chain, has a hazard of its own in percent per year: an anchor times one multiplier per factor, or the sum that a floor asks for if that is more. A node carries its own hazard and that of everything it depends on, near or far, each counted once, times the largest product of weights over the paths that lead there. The sum Λ becomes a probability P = 1 − exp(−Λ / 100), and P a grade. So a dependency that is met on two ways does not count twice, a cycle does no harm, and what rests on another with its whole weight never grades better than it.',
    'What is not known is never taken as safe: it counts as the average of those that were counted, or more, and each unknown has a row of its own in the answer. Each answer also tells how others like it fared: counts of what was observed, not a probability of the node itself.',
    markdownTable(
      ['grade', 'yearly probability'],
      method.cutoffs.map(({ grade, upToPercent }) => [
        grade,
        upToPercent === null ? 'above' : `up to ${upToPercent} %`,
      ]),
    ),
    'E is not given: above 8 % a year there are too few protocols to tell two steps apart, so D is one wide band. On public facts alone no A is given: no count is large enough to show that fewer than 0.8 % a year are lost. What still has an A has it by judgement: Ethereum and Bitcoin, rollups whose stage somebody assessed, and their own coins.',
    '## Loss and closure',
    'Two different things happen to protocols. A **loss**: somebody breaks it, or it breaks. That alone is what a grade claims. **Closure**: it is given up, or emptied by its makers without anyone saying when. Small protocols close, large ones are attacked and are watched, so the two have opposite signs in size and one figure for both says nothing. Closure has a hazard of its own (below), told in the answer in counts. It never makes a grade better; where it is more likely than not within 41 months, the grade is C at best, because nobody would know of a loss. Makers who take the money on a known day are a loss.',
    '## Floors',
    'A floor to D or F raises the hazard of the node itself to the least that earns the grade, so it passes on to what depends on the node, in proportion. A floor to B or C says that something cannot be told: it caps the node and whatever rests on it with its whole weight, without adding up.',
    markdownTable(
      ['graded', 'while'],
      method.floors.map(({ grade, when }) => [grade === 'F' ? 'F' : `${grade} or worse`, when]),
    ),
    '## Dependencies',
    markdownTable(
      ['edge', 'weight'],
      method.dependencies.map(({ edge, weight }) => [`\`${edge}\``, `${weight}`]),
    ),
    ...LABELS.toReversed().flatMap((label) => [
      `## ${label}`,
      ...method.factors.filter(({ of }) => of === label).map(factorText),
    ]),
    '## Closure of a protocol',
    ...method.closure.map(factorText),
    '## Back-test',
    ...backtestText(method.backtest),
    '## Limits',
    list(method.limits),
    '## What was tried, and what was left out',
    list(method.tried),
  ]
    .join('\n\n')
    .concat('\n');
}

function factorText({ factor, kind, rows }: PublishedFactor): string {
  const unit = kind === 'anchor' ? 'percent per year' : 'times';
  return markdownTable(
    [factor, unit],
    rows.map(({ when, value }) => [when, `${value}`]),
  );
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
