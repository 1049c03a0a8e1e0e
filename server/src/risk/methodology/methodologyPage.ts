import { LABELS } from '../../domain/risk/graph.ts';
import { backtestText } from './backtestText.ts';
import { markdownTable } from './markdownTable.ts';
import type { Methodology, PublishedFactor } from './methodology.ts';

/** Returns the method as a page in Markdown, which is docs/methodology.md. */
export function methodologyPage(method: Methodology): string {
  return [
    '# How risk is graded',
    `Method ${method.version}. A grade is the probability of losing at least one percent of a deposit within a year: through an exploit, a wrong price, a lost key, bad debt, a captured vote, a broken peg, or a team that takes the money. It was tested against real losses; section Limits lists what the test cannot show. Grades rank risks; they are no guarantee.`,
    '## From facts to a grade',
    'Each node (pool, asset, protocol, or chain) has its own hazard in percent per year: an anchor times one multiplier per factor, or the minimum set by a floor if that is larger. Added to it are the hazards of all direct and indirect dependencies. Each counts once, times the largest product of weights over the paths to it. The sum Λ becomes a probability P = 1 − exp(−Λ / 100), and P a grade. So a dependency on two paths does not count twice, cycles are harmless, and a node that depends on another with weight 1 never gets a better grade than it.',
    'Unknown facts never count as safe. They count as the average of the tested protocols or worse, and each has its own row in the response. Each response also reports how similar nodes fared: observed counts, not a probability of the node itself.',
    markdownTable(
      ['grade', 'yearly probability'],
      method.cutoffs.map(({ grade, upToPercent }) => [
        grade,
        upToPercent === null ? 'above' : `up to ${upToPercent}%`,
      ]),
    ),
    'E is not used: above 8% a year there are too few protocols to separate two grades, so D is one wide band. Public facts alone never give an A: no sample is large enough to show losses below 0.8% a year. An A is always a judgment: Ethereum and Bitcoin, rollups with an assessed stage, and their native coins.',
    '## Loss and closure',
    'Protocols can end in two ways. A **loss**: it is attacked, or fails. A grade states only the probability of a loss. **Closure**: it is abandoned, or drained by its team at an unknown time. Small protocols close; large ones are attacked and monitored. The two depend on size in opposite ways, so one number for both would mean nothing. Closure has its own hazard (below), reported in the response as counts. It never improves a grade. If closure within 41 months is more likely than not, the grade is C at best, because a loss might go unreported. A team that takes the money on a known day is a loss.',
    '## Floors',
    'A floor at D or F raises the own hazard of the node to the minimum of that grade, and so passes on to its dependents in proportion. A floor at B or C marks missing evidence: it caps the grade of the node, and of nodes that depend on it with weight 1, without adding hazard.',
    markdownTable(
      ['grade', 'condition'],
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
    '## Tested facts',
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
