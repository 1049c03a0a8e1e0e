import type { Priced } from '../../config/paymentsSchema.ts';
import type { Route, RouteRequest } from '../route.ts';

/** A route whose responses are sold. */
export interface PaidRoute extends Route {
  readonly access: 'paid';
  /** The name of its configured price. */
  readonly price: Priced;
  /** The number of calls that a request counts as and pays for; default: one. `of` throws BadParameters. */
  readonly calls?: { readonly max: number; of(request: RouteRequest): number };
}

export function isPaidRoute(route: Route): route is PaidRoute {
  return route.access === 'paid';
}
