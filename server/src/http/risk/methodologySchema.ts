import { type TSchema, Type } from 'typebox';
import { GRADES, LABELS } from '../../domain/risk/graph.ts';

export const grade = Type.Enum([...GRADES], {
  description: 'Letter grade, A safest to F riskiest.',
});
const text = (description: string) => Type.String({ description });
const number = (description: string) => Type.Number({ description });
const count = (description: string) => Type.Integer({ description });
const list = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { description });
const auc = (description: string) => number(`AUC, 0 to 1: ${description}`);

const estimate = (description: string) =>
  Type.Object(
    {
      value: number('The figure.'),
      low: number('Lower end of its 95 % interval.'),
      high: number('Upper end of its 95 % interval.'),
    },
    { description },
  );

const ranking = (description: string) =>
  Type.Object(
    {
      group: text('Outcome, and among which protocols.'),
      protocols: count('How many there are.'),
      happened: count('To how many it happened.'),
      sizeAlone: auc('of TVL, in whichever direction is the better one.'),
      crossFitted: estimate('AUC of weights fitted on other protocols than those they score.'),
      gain: estimate('Of the second over the first.'),
    },
    { description },
  );

const observed = {
  of: count('Counted.'),
  lost: count('Of these known to have lost.'),
  yearly: estimate('Observed rate in percent a year, with its exact interval.'),
};

const gradeRow = Type.Object({
  grade,
  from: number('The grade claims more than this, in percent a year,'),
  upTo: Type.Union([Type.Number(), Type.Null()], {
    description: 'and up to this; null: without limit.',
  }),
  ...observed,
});

const pair = (description: string) =>
  Type.Array(Type.Integer(), {
    minItems: 2,
    maxItems: 2,
    description: `${description}: how many, and how many of them lost.`,
  });

export const factors = (description: string) =>
  list(
    Type.Object({
      of: Type.Enum([...LABELS], { description: 'Kind of node.' }),
      factor: text('What is looked at.'),
      kind: Type.Enum(['anchor', 'multiplier'], {
        description: 'Percent per year to start from, or what the hazard is multiplied with.',
      }),
      rows: list(
        Type.Object({ when: text('The case.'), value: number('Its weight.') }),
        'Every case with its weight.',
      ),
    }),
    description,
  );

export const backtest = Type.Object(
  {
    facts: text('Month of the facts.'),
    from: text('First month of the outcomes.'),
    to: text('Last month of the outcomes.'),
    months: count('Months in between.'),
    protocols: count('Protocols tested.'),
    loss: list(ranking('One outcome.'), 'How well the order foretold losses.'),
    sizes: list(
      Type.Object({
        size: text('TVL.'),
        protocols: count('Protocols of that size.'),
        lost: count('Of these known to have lost at least 1 %.'),
        expected: number('How many the cross-fitted weights expected.'),
      }),
      'Losses by size.',
    ),
    overTime: list(
      Type.Object({
        learned: text('What the weights were learned from.'),
        judged: text('What they were judged by.'),
        happened: count('Losses judged by.'),
        auc: estimate('AUC.'),
      }),
      'Learned from one time, judged by another.',
    ),
    grades: list(gradeRow, 'Observed loss by grade, protocols above 1 million USD.'),
    gradesOfAll: list(gradeRow, 'The same over all sizes.'),
    singleFacts: list(
      Type.Object({
        fact: text('The fact.'),
        with: pair('Protocols with it'),
        without: pair('Protocols without it'),
        auc: auc('of the fact by itself.'),
      }),
      'Each fact by itself.',
    ),
    tried: list(
      Type.Object({
        set: text('The facts.'),
        auc: auc('cross-fitted.'),
        gain: estimate('Over size alone.'),
      }),
      'Other sets of facts.',
    ),
    closure: ranking('How well the order foretold closure.'),
    stablecoins: list(
      Type.Object({
        kind: text('What backs them.'),
        ...observed,
        unknown: count('Of which it is not known whether they lost their peg.'),
        claimed: number('What the method says of them, the mean, in percent a year.'),
      }),
      'Stablecoins that had their peg.',
    ),
    stablecoinAuc: estimate('AUC of the order of these coins.'),
    dependencies: list(
      Type.Object({
        outcome: text('What happened.'),
        happened: count('To how many protocols.'),
        own: auc('by the own hazard.'),
        whole: auc('with everything that a protocol depends on.'),
        gain: estimate('Of the second over the first.'),
      }),
      'Whether dependencies help.',
    ),
    again: Type.Object(
      {
        of: count('Protocols with an incident.'),
        lost: count('Of these lost afterwards.'),
        expected: number('How many would have by their other facts.'),
      },
      { description: 'After an incident.' },
    ),
  },
  { description: 'Grades from old facts, held against later outcomes.' },
);
