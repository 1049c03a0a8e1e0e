import type { Priced } from '../../config/paymentsSchema.ts';
import type { Route } from '../route.ts';

/** A route whose answers are sold. */
export interface PaidRoute extends Route {
  readonly access: 'paid';
  /** Which of the configured prices it has. */
  readonly price: Priced;
}

export function isPaidRoute(route: Route): route is PaidRoute {
  return route.access === 'paid';
}
