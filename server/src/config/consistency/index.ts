import type { ConfigDocument } from '../document.ts';
import type { ConfigProblem } from '../problem.ts';
import { checkAlerts } from './alerts.ts';
import { checkChains } from './chains.ts';
import { checkChecksums } from './checksums.ts';
import { checkFamilies } from './families.ts';
import { checkFeeds } from './feeds.ts';
import { checkPayments } from './payments.ts';
import { checkProxies } from './proxies.ts';
import { checkRetention } from './retention.ts';
import { createReview } from './review.ts';
import { checkVaults } from './vaults.ts';
import { checkWebhooks } from './webhooks.ts';

/**
 * Checks what a schema cannot: dangling names, duplicates, and sums. It runs together with the check of the shape, so
 * that all problems are reported together.
 */
export function findInconsistencies(document: ConfigDocument): readonly ConfigProblem[] {
  const review = createReview(document);
  checkProxies(review);
  checkRetention(review);
  checkChains(review);
  checkVaults(review);
  checkFeeds(review);
  checkFamilies(review);
  checkPayments(review);
  checkWebhooks(review);
  checkAlerts(review);
  checkChecksums(review);
  return review.problems;
}
