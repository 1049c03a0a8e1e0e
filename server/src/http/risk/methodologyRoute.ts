import { Type } from 'typebox';
import { type Methodology, methodology } from '../../domain/risk/grade/methodology.ts';
import { GRADES, LABELS } from '../../domain/risk/graph.ts';
import type { Route } from '../route.ts';

const grade = Type.Enum([...GRADES], { description: 'Letter grade, A safest to F riskiest.' });
const auc = (description: string) => Type.Number({ description: `AUC, 0 to 1: ${description}` });
const count = (description: string) => Type.Integer({ description });

const response = Type.Object({
  version: Type.String({ description: 'Version of the method.' }),
  cutoffs: Type.Array(
    Type.Object({
      grade,
      upToPercent: Type.Union([Type.Number(), Type.Null()], {
        description: 'Up to this yearly probability of a loss, in percent; null: above all others.',
      }),
    }),
    { description: 'Which probability earns which grade.' },
  ),
  factors: Type.Array(
    Type.Object({
      of: Type.Enum([...LABELS], { description: 'Kind of node.' }),
      factor: Type.String({ description: 'What is looked at.' }),
      kind: Type.Enum(['anchor', 'multiplier'], {
        description: 'Percent per year to start from, or what the hazard is multiplied with.',
      }),
      rows: Type.Array(
        Type.Object({
          when: Type.String({ description: 'The case.' }),
          value: Type.Number({ description: 'Its weight.' }),
        }),
        { description: 'Every case with its weight.' },
      ),
    }),
    { description: 'What a node’s own hazard is made of.' },
  ),
  dependencies: Type.Array(
    Type.Object({
      edge: Type.String({ description: 'Type of edge.' }),
      weight: Type.Unknown({ description: 'How much of the target’s risk the source carries.' }),
    }),
    { description: 'How risk passes along edges.' },
  ),
  floors: Type.Array(
    Type.Object({ grade, when: Type.String({ description: 'While this holds.' }) }),
    { description: 'What a node cannot grade better than.' },
  ),
  backtest: Type.Object(
    {
      facts: Type.String({ description: 'Month of the facts.' }),
      outcomes: Type.String({ description: 'Month of the outcomes.' }),
      protocols: count('Protocols tested.'),
      shownPart: Type.Number({ description: 'Part of the outcomes that the data shows.' }),
      auc: Type.Array(
        Type.Object({
          outcome: Type.String({ description: 'What happened.' }),
          happened: count('To how many protocols.'),
          tvlAlone: auc('TVL alone.'),
          startWeights: auc('the weights that the method began with.'),
          crossFitted: auc('weights fitted on other protocols than those they score.'),
          gain: Type.Object(
            {
              mean: Type.Number({ description: 'Mean.' }),
              low: Type.Number({ description: 'Lower end of the 95 % interval.' }),
              high: Type.Number({ description: 'Upper end of the 95 % interval.' }),
            },
            { description: 'Cross-fitted over TVL alone.' },
          ),
        }),
        { description: 'How well the order foretold the outcomes.' },
      ),
      byGrade: Type.Array(
        Type.Object({
          grade,
          protocols: count('Protocols with this grade.'),
          dead: count('Of these later dead, as far as shown.'),
          rugged: count('Of these rugged, as far as shown.'),
        }),
        { description: 'Observed outcome by grade.' },
      ),
      limits: Type.Array(Type.String(), { description: 'What the figures do not show.' }),
    },
    { description: 'Grades from old facts, held against later outcomes.' },
  ),
});

/** GET /risk/methodology: free, because a grade is worth little to who cannot see how it was made. */
export function methodologyRoute(): Route {
  const published: Methodology = methodology();
  const { factors, ...rest } = published;
  return {
    path: '/risk/methodology',
    operationId: 'riskMethodology',
    summary: 'How risk is graded',
    description:
      'The whole grading method as data: factors, weights, cut-offs, floors, and how its order held against later outcomes, with the limits of that. Free. The same as a page: /docs/methodology.',
    tag: 'risk',
    parameters: [],
    response,
    responseExample: { ...rest, factors: factors.slice(0, 1) },
    problems: [429],
    maxAge: 300,
    answer: async () => published,
  };
}
