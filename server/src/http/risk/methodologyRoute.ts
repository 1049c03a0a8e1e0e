import { Type } from 'typebox';
import { type Methodology, methodology } from '../../risk/methodology/methodology.ts';
import type { Route } from '../route.ts';
import { Figure, List, Nullable, Shape, Text } from '../schemas.ts';
import { backtest, factors, grade } from './methodologySchema.ts';

const cutoff = Shape(
  {
    grade,
    upToPercent: Nullable(
      Figure('In percent.'),
      'Maximum yearly probability of a loss, in percent; null: no maximum.',
    ),
  },
  'One grade.',
);

const response = Shape(
  {
    version: Text('Version of the method.'),
    cutoffs: List(
      cutoff,
      'The grade of each probability; a grade that is missing is not assigned.',
    ),
    factors: factors('The factors of a node’s own hazard of a loss.'),
    closure: factors(
      'The factors of the hazard of abandonment. It can limit a grade but is not part of it.',
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
      Shape({ grade, when: Text('While this condition holds.') }, 'One floor.'),
      'The best grade that a node can get.',
    ),
    backtest,
    limits: List(Text('One limit.'), 'Limits of the data.'),
    tried: List(Text('One attempt.'), 'Rejected approaches, and why.'),
  },
  'The grading method.',
);

/** GET /risk/methodology: free, because a grade is useful only if its method is public. */
export function methodologyRoute(): Route {
  const published: Methodology = methodology();
  const { factors: all, closure, ...rest } = published;
  return {
    path: '/risk/methodology',
    access: 'open',
    operationId: 'riskMethodology',
    summary: 'Get the grading method',
    description:
      'Returns the entire grading method as data: factors, weights, cut-offs, and floors, and a comparison of its grades with real losses, with its limits. Free. As a page: /docs/methodology.',
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
