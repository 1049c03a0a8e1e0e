import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessLog } from './accessLog.ts';
import { beginExchange, type Exchange, exchangeOf } from './exchange.ts';
import { type RequestTimes, statusClass } from './requestTimes.ts';

export interface RequestObservers {
  readonly times?: RequestTimes | undefined;
  readonly accessLog?: AccessLog | undefined;
}

/** Assigns an id to each request and records its result. Call it before anything else handles the request. */
export function createRequestObserver({ times, accessLog }: RequestObservers) {
  return (request: IncomingMessage, response: ServerResponse): Exchange => {
    const exchange = beginExchange(request, response);
    const log = accessLog?.begin(request, response);
    if (log === undefined) response.on('close', record);
    else response.on('close', () => log(exchange, record.call(response)));
    return exchange;
  };

  /** Shared by all responses: a closure for each would cost more than the rest. */
  function record(this: ServerResponse): number {
    const { route, startedAt } = exchangeOf(this)!;
    const ms = performance.now() - startedAt;
    times?.add(route, this.writableFinished ? statusClass(this.statusCode) : 'aborted', ms / 1000);
    return ms;
  }
}
