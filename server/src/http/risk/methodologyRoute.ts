import { Type } from 'typebox';
import { type Methodology, methodology } from '../../domain/risk/grade/methodology.ts';
import type { Route } from '../route.ts';
import { Figure, List, Nullable, Shape, Text } from '../schemas.ts';
import { backtest, factors, grade } from './methodologySchema.ts';

const cutoff = Shape(
  {
    grade,
    upToPercent: Nullable(
      Figure('In percent.'),
      'Up to this yearly probability of a loss, in percent; null: above all others.',
    ),
  },
  'One grade.',
);

const response = Shape(
  {
    version: Text('Version of the method.'),
    cutoffs: List(
      cutoff,
      'Which probability earns which grade; a letter that is missing is not given.',
    ),
    factors: factors('What a node’s own hazard of a loss is made of.'),
    closure: factors(
      'What the hazard of being given up is made of: it can hold a grade down and is no part of it.',
    ),
    dependencies: List(
      Shape(
        {
          edge: Text('Type of edge.'),
          weight: Type.Unknown({
            description: 'How much of the target’s risk the source carries.',
          }),
        },
        'One type of edge.',
      ),
      'How risk passes along edges.',
    ),
    floors: List(
      Shape({ grade, when: Text('While this holds.') }, 'One floor.'),
      'What a node cannot grade better than.',
    ),
    backtest,
    limits: List(Text('One limit.'), 'What the figures do not show.'),
    tried: List(Text('One attempt.'), 'What was tried, and why it is left out.'),
  },
  'The grading method.',
);

/** GET /risk/methodology: free, because a grade is worth little to who cannot see how it was made. */
export function methodologyRoute(): Route {
  const published: Methodology = methodology();
  const { factors: all, closure, ...rest } = published;
  return {
    path: '/risk/methodology',
    access: 'open',
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
    fixed: true,
    answer: async () => published,
  };
}
