import { Type } from 'typebox';
import { groupBy } from '../../domain/groupBy.ts';
import { COST_METHODS, type CostMethod } from '../../domain/wallet/accounting/costMethod.ts';
import {
  type AccountMove,
  type AccountMovesAsked,
  getAccountMoves,
  MAX_MOVEMENTS,
  TooManyMovements,
} from '../../store/movements/accounting.ts';
import type { Queryable } from '../../store/store.ts';
import { readParameters } from '../parameters.ts';
import { BadParameters } from '../problem.ts';
import type { RouteRequest } from '../route.ts';
import { optional } from '../routeParameters.ts';

export const methodParameter = optional(
  'method',
  Type.Enum([...COST_METHODS]),
  'Cost method: average (the default), or which shares leave first: fifo, the oldest; lifo, the newest; hifo, those with the highest cost per share.',
  'fifo',
);

export function readMethod(request: RouteRequest): CostMethod {
  return (
    readParameters((parameters) => parameters.choice('method', COST_METHODS), request) ?? 'average'
  );
}

/** The movements of one family, in order. */
export interface FamilyMoves {
  readonly familyId: number;
  readonly slug: string;
  readonly moves: readonly AccountMove[];
}

/** Reads movements for a request; too many are an error of its parameters. */
export async function readMoves(db: Queryable, asked: AccountMovesAsked): Promise<FamilyMoves[]> {
  try {
    return byFamily(await getAccountMoves(db, asked));
  } catch (error) {
    if (!(error instanceof TooManyMovements)) throw error;
    const more = `more than ${MAX_MOVEMENTS.toLocaleString('en')} movements, which is the most that is computed per request`;
    throw new BadParameters([
      asked.families.length > 1
        ? { parameter: 'family', reason: `must be set, because there are ${more}` }
        : {
            parameter: 'walletAddress',
            reason: `has ${more}; use /v1/performance at average cost`,
          },
    ]);
  }
}

function byFamily(all: readonly AccountMove[]): FamilyMoves[] {
  const families = groupBy(all, ({ familyId }) => familyId);
  return [...families].map(([familyId, moves]) => ({ familyId, slug: moves[0]!.slug, moves }));
}
