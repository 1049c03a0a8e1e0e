import { Type } from 'typebox';
import { type Methodology, methodology } from '../../domain/risk/grade/methodology.ts';
import type { Route } from '../route.ts';
import { backtest, factors, grade } from './methodologySchema.ts';

const response = Type.Object({
  version: Type.String({ description: 'Version of the method.' }),
  cutoffs: Type.Array(
    Type.Object({
      grade,
      upToPercent: Type.Union([Type.Number(), Type.Null()], {
        description: 'Up to this yearly probability of a loss, in percent; null: above all others.',
      }),
    }),
    { description: 'Which probability earns which grade; a letter that is missing is not given.' },
  ),
  factors: factors('What a node’s own hazard of a loss is made of.'),
  closure: factors(
    'What the hazard of being given up is made of: it can hold a grade down and is no part of it.',
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
  backtest,
  limits: Type.Array(Type.String(), { description: 'What the figures do not show.' }),
  tried: Type.Array(Type.String(), { description: 'What was tried, and why it is left out.' }),
});

/** GET /risk/methodology: free, because a grade is worth little to who cannot see how it was made. */
export function methodologyRoute(): Route {
  const published: Methodology = methodology();
  const { factors: all, closure, ...rest } = published;
  return {
    path: '/risk/methodology',
    operationId: 'riskMethodology',
    summary: 'How risk is graded',
    description:
      'The whole grading method as data: factors, weights, cut-offs, floors, and how its grades held against real losses, with the limits of that. Free. The same as a page: /docs/methodology.',
    tag: 'risk',
    parameters: [],
    response,
    responseExample: { ...rest, factors: all.slice(0, 1), closure: closure.slice(0, 1) },
    problems: [429],
    maxAge: 300,
    answer: async () => published,
  };
}
