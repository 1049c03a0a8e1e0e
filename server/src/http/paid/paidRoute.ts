import type { PaymentsConfig } from '../../config/config.ts';
import type { Route } from '../route.ts';

/** A route whose answers are sold. */
export interface PaidRoute extends Route {
  /** Which of the configured prices it has. */
  readonly price: keyof PaymentsConfig['prices'];
}

export function isPaidRoute(route: Route): route is PaidRoute {
  return 'price' in route;
}
