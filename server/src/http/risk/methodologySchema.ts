import { Type } from 'typebox';
import { Count, Figure, Grade, List, NodeLabel, Nullable, OneOf, Shape, Text } from '../schemas.ts';

export const grade = Grade('Letter grade, A safest to F riskiest.');
const auc = (description: string) => Figure(`AUC, 0 to 1: ${description}`);

const estimate = (description: string) =>
  Shape(
    {
      value: Figure('The figure.'),
      low: Figure('Lower end of its 95 % interval.'),
      high: Figure('Upper end of its 95 % interval.'),
    },
    description,
  );

const ranking = (description: string) =>
  Shape(
    {
      group: Text('Outcome, and among which protocols.'),
      protocols: Count('How many there are.'),
      happened: Count('To how many it happened.'),
      sizeAlone: auc('of TVL, in whichever direction is the better one.'),
      crossFitted: estimate('AUC of weights fitted on other protocols than those they score.'),
      gain: estimate('Of the second over the first.'),
    },
    description,
  );

const observed = {
  of: Count('Counted.'),
  lost: Count('Of these known to have lost.'),
  yearly: estimate('Observed rate in percent a year, with its exact interval.'),
};

const gradeRow = Shape(
  {
    grade,
    from: Figure('The grade claims more than this, in percent a year,'),
    upTo: Nullable(Figure('In percent a year.'), 'and up to this; null: without limit.'),
    ...observed,
  },
  'A grade, what it claims, and what was observed.',
);

const pair = (description: string) =>
  Type.Array(Count('How many.'), {
    minItems: 2,
    maxItems: 2,
    description: `${description}: how many, and how many of them lost.`,
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
        factor: Text('What is looked at.'),
        kind: OneOf(
          ['anchor', 'multiplier'],
          'Percent per year to start from, or what the hazard is multiplied with.',
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
    loss: List(ranking('One outcome.'), 'How well the order foretold losses.'),
    sizes: List(
      Shape(
        {
          size: Text('TVL.'),
          protocols: Count('Protocols of that size.'),
          lost: Count('Of these known to have lost at least 1 %.'),
          expected: Figure('How many the cross-fitted weights expected.'),
        },
        'One size.',
      ),
      'Losses by size.',
    ),
    overTime: List(
      Shape(
        {
          learned: Text('What the weights were learned from.'),
          judged: Text('What they were judged by.'),
          happened: Count('Losses judged by.'),
          auc: estimate('AUC.'),
        },
        'One way to part the time.',
      ),
      'Learned from one time, judged by another.',
    ),
    grades: List(gradeRow, 'Observed loss by grade, protocols above 1 million USD.'),
    gradesOfAll: List(gradeRow, 'The same over all sizes.'),
    singleFacts: List(
      Shape(
        {
          fact: Text('The fact.'),
          with: pair('Protocols with it'),
          without: pair('Protocols without it'),
          auc: auc('of the fact by itself.'),
        },
        'One fact.',
      ),
      'Each fact by itself.',
    ),
    tried: List(
      Shape(
        {
          set: Text('The facts.'),
          auc: auc('cross-fitted.'),
          gain: estimate('Over size alone.'),
        },
        'One set of facts.',
      ),
      'Other sets of facts.',
    ),
    closure: ranking('How well the order foretold closure.'),
    stablecoins: List(
      Shape(
        {
          kind: Text('What backs them.'),
          ...observed,
          unknown: Count('Of which it is not known whether they lost their peg.'),
          claimed: Figure('What the method says of them, the mean, in percent a year.'),
        },
        'One kind of stablecoin.',
      ),
      'Stablecoins that had their peg.',
    ),
    stablecoinAuc: estimate('AUC of the order of these coins.'),
    dependencies: List(
      Shape(
        {
          outcome: Text('What happened.'),
          happened: Count('To how many protocols.'),
          own: auc('by the own hazard.'),
          whole: auc('with everything that a protocol depends on.'),
          gain: estimate('Of the second over the first.'),
        },
        'One outcome.',
      ),
      'Whether dependencies help.',
    ),
    again: Shape(
      {
        of: Count('Protocols with an incident.'),
        lost: Count('Of these lost afterwards.'),
        expected: Figure('How many would have by their other facts.'),
      },
      'After an incident.',
    ),
  },
  'Grades from old facts, held against later outcomes.',
);
