import { Type } from 'typebox';
import { Count, Figure, Grade, List, NodeLabel, Nullable, OneOf, Shape, Text } from '../schemas.ts';

export const grade = Grade('Letter grade, A (safest) to F (riskiest).');
const auc = (description: string) => Figure(`AUC, 0 to 1: ${description}`);

const estimate = (description: string) =>
  Shape(
    {
      value: Figure('The value.'),
      low: Figure('Lower end of its 95% interval.'),
      high: Figure('Upper end of its 95% interval.'),
    },
    description,
  );

const ranking = (description: string) =>
  Shape(
    {
      group: Text('Outcome and group of protocols.'),
      protocols: Count('Number of protocols.'),
      happened: Count('Number of protocols with this outcome.'),
      sizeAlone: auc('of TVL, in the better direction.'),
      crossFitted: estimate('AUC of weights fitted on other protocols than those they score.'),
      gain: estimate('Improvement of the second over the first.'),
    },
    description,
  );

const observed = {
  of: Count('Number counted.'),
  lost: Count('Number of these with a known loss.'),
  yearly: estimate('Observed rate in percent per year, with its exact interval.'),
};

const gradeRow = Shape(
  {
    grade,
    from: Figure('Lower bound (exclusive) of the grade, in percent per year.'),
    upTo: Nullable(Figure('In percent per year.'), 'Upper bound (inclusive); null: no limit.'),
    ...observed,
  },
  'A grade, its predicted rate, and the observed rate.',
);

const pair = (description: string) =>
  Type.Array(Count('Number of protocols.'), {
    minItems: 2,
    maxItems: 2,
    description: `${description}: number of protocols, and number with a loss.`,
  });

const row = Shape(
  { when: Text('The case.'), value: Figure('Its weight.') },
  'One case with its weight.',
);

export const factors = (description: string) =>
  List(
    Shape(
      {
        of: NodeLabel('Kind of node.'),
        factor: Text('What is measured.'),
        kind: OneOf(
          ['anchor', 'multiplier'],
          'Percent per year to start from, or the factor of the hazard.',
        ),
        rows: List(row, 'Every case with its weight.'),
      },
      'One factor.',
    ),
    description,
  );

export const backtest = Shape(
  {
    facts: Text('Month of the facts.'),
    from: Text('First month of the outcomes.'),
    to: Text('Last month of the outcomes.'),
    months: Count('Months in between.'),
    protocols: Count('Protocols tested.'),
    loss: List(ranking('One outcome.'), 'How well the ranking predicted losses.'),
    sizes: List(
      Shape(
        {
          size: Text('TVL.'),
          protocols: Count('Protocols of that size.'),
          lost: Count('Number of these with a known loss of at least 1%.'),
          expected: Figure('Number that the cross-fitted weights predicted.'),
        },
        'One size.',
      ),
      'Losses by size.',
    ),
    overTime: List(
      Shape(
        {
          learned: Text('Training data.'),
          judged: Text('Test data.'),
          happened: Count('Number of test losses.'),
          auc: estimate('AUC.'),
        },
        'One split in time.',
      ),
      'Trained on one period, tested on another.',
    ),
    grades: List(gradeRow, 'Observed losses by grade, protocols above 1 million USD.'),
    gradesOfAll: List(gradeRow, 'The same for all sizes.'),
    singleFacts: List(
      Shape(
        {
          fact: Text('The fact.'),
          with: pair('Protocols with it'),
          without: pair('Protocols without it'),
          auc: auc('of this fact alone.'),
        },
        'One fact.',
      ),
      'Each fact alone.',
    ),
    tried: List(
      Shape(
        {
          set: Text('The facts.'),
          auc: auc('cross-fitted.'),
          gain: estimate('Compared with size alone.'),
        },
        'One set of facts.',
      ),
      'Other sets of facts.',
    ),
    closure: ranking('How well the ranking predicted closure.'),
    stablecoins: List(
      Shape(
        {
          kind: Text('Type of backing.'),
          ...observed,
          unknown: Count('Number for which it is unknown whether they lost their peg.'),
          claimed: Figure('Mean predicted rate, in percent per year.'),
        },
        'One kind of stablecoin.',
      ),
      'Stablecoins that were at their peg.',
    ),
    stablecoinAuc: estimate('AUC of the ranking of these coins.'),
    dependencies: List(
      Shape(
        {
          outcome: Text('The outcome.'),
          happened: Count('Number of protocols with it.'),
          own: auc('by own hazard.'),
          whole: auc('with all dependencies of a protocol.'),
          gain: estimate('Improvement of the second over the first.'),
        },
        'One outcome.',
      ),
      'Whether dependencies improve the ranking.',
    ),
    again: Shape(
      {
        of: Count('Protocols with an incident.'),
        lost: Count('Number of these with a later loss.'),
        expected: Figure('Number that their other facts predicted.'),
      },
      'After an incident.',
    ),
  },
  'Grades from old facts, compared with later outcomes.',
);
