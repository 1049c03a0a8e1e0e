import { LABELS } from '../graph.ts';
import type { Methodology, PublishedFactor } from './methodology.ts';

/** The method as a page for people, in Markdown; docs/methodology.md is this very text. */
export function methodologyPage(method: Methodology): string {
  return [
    '# How risk is graded',
    `Method ${method.version}. Grades say how likely it is, within a year, to lose at least one percent of what was put in. They order; they promise nothing.`,
    '## From facts to a grade',
    'Each node, be it a pool, an asset, a protocol or a chain, has a hazard of its own in percent per year: an anchor times one multiplier per factor, or the sum that a floor asks for if that is more. A node carries its own hazard and that of everything it depends on, near or far, each counted once, times the largest product of weights over the paths that lead there. The sum Λ becomes a probability P = 1 − exp(−Λ / 100), and P a grade. So a dependency that is met on two ways does not count twice, a cycle does no harm, and what rests on another with its whole weight never grades better than it.',
    'What is not known is never taken as safe: each unknown has a row of its own, and the answer says so.',
    table(
      ['grade', 'yearly probability'],
      method.cutoffs.map(({ grade, upToPercent }) => [
        grade,
        upToPercent === null ? 'above' : `up to ${upToPercent} %`,
      ]),
    ),
    '## Floors',
    'A floor to D or F raises the hazard of the node itself to the least that earns the grade, so it passes on to what depends on the node, in proportion. The floor to C caps the node and whatever rests on it with its whole weight, without adding up.',
    table(
      ['graded', 'while'],
      method.floors.map(({ grade, when }) => [grade === 'F' ? 'F' : `${grade} or worse`, when]),
    ),
    '## Dependencies',
    table(
      ['edge', 'weight'],
      method.dependencies.map(({ edge, weight }) => [`\`${edge}\``, `${weight}`]),
    ),
    ...LABELS.toReversed().flatMap((label) => [
      `## ${label}`,
      ...method.factors.filter(({ of }) => of === label).map(factorText),
    ]),
    ...backtestText(method.backtest),
  ]
    .join('\n\n')
    .concat('\n');
}

function factorText({ factor, kind, rows }: PublishedFactor): string {
  const unit = kind === 'anchor' ? 'percent per year' : 'times';
  return table(
    [factor, unit],
    rows.map(({ when, value }) => [when, `${value}`]),
  );
}

function backtestText(backtest: Methodology['backtest']): string[] {
  return [
    '## Back-test',
    `${backtest.protocols} protocols with their facts of ${backtest.facts}, held against what ${backtest.outcomes} shows of them. Cross-fitted means that each protocol was scored only by weights that were fitted without it. AUC is how often a protocol with the outcome ranks above one without; intervals hold 95 % of 1000 draws.`,
    table(
      ['outcome', 'shown', 'TVL alone', 'start weights', 'cross-fitted', 'gain over TVL alone'],
      backtest.auc.map(({ outcome, happened, tvlAlone, startWeights, crossFitted, gain }) => [
        outcome,
        `${happened}`,
        `${tvlAlone}`,
        `${startWeights}`,
        `${crossFitted}`,
        `${gain.mean} (${gain.low} to ${gain.high})`,
      ]),
    ),
    'Outcome by grade, shipped weights, the protocol by itself:',
    table(
      ['grade', 'protocols', 'shown dead', 'shown rugged'],
      backtest.byGrade.map(({ grade, protocols, dead, rugged }) => [
        grade,
        `${protocols}`,
        `${dead} (${Math.round((100 * dead) / protocols)} %)`,
        `${rugged}`,
      ]),
    ),
    '## Limits',
    backtest.limits.map((limit) => `- ${limit}`).join('\n'),
    '## What helped, and what did not',
    [
      '- Helped: TVL as a smooth curve; whether the token is priced, and above one million USD; being a fork; running on Ethereum or Bitcoin; category anchors pulled together.',
      '- Did not help: the public audit flag, the time since listing (within the 18 months that the list reaches back), the number of chains, the size of the home chain, the change of TVL over a day or a week, belonging to a parent protocol, staked tokens, the ratio of market value to TVL.',
      '- Not used: facts that only the later list has (links to audits, code, treasury, governance). A protocol that lived had years to add them.',
    ].join('\n'),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
