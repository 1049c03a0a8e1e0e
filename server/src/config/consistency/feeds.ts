import { joinPath } from '../problem.ts';
import { isObject } from '../shape.ts';
import { objectAt } from './entries.ts';
import type { Review } from './review.ts';

/** Checks that each feed has one origin: an aggregator on a chain, or a market-data provider. */
export function checkFeeds({ file, fail, checkChain }: Review): void {
  const prices = objectAt(file, 'prices');
  const feeds = objectAt(prices, 'feeds');
  for (const [name, feed] of Object.entries(feeds)) {
    if (isObject(feed)) checkFeed(feed, joinPath('prices.feeds', name));
  }

  function checkFeed(feed: Record<string, unknown>, path: string): void {
    const onChain = feed.aggregator !== undefined;
    const overHttp = feed.marketDataId !== undefined;
    if (onChain === overHttp) {
      fail(path, 'must have either aggregator (with its chain) or marketDataId; keep one');
      return;
    }
    if (onChain && feed.chain === undefined) {
      fail(joinPath(path, 'chain'), 'is missing; add the chain id of the aggregator');
    }
    if (overHttp && (feed.chain !== undefined || feed.startBlock !== undefined)) {
      fail(path, 'has chain or startBlock, which belong to an aggregator; remove them');
    }
    if (overHttp && prices.marketData === undefined) {
      fail(path, 'needs a market-data provider; add prices.marketData with its url');
    }
    checkChain(feed.chain, joinPath(path, 'chain'));
  }
}
