/** Errors of the market-data provider. The messages contain no URL, key, or text of the provider. */
export abstract class MarketDataError extends Error {
  /** Whether the same request may succeed later. */
  abstract readonly retry: boolean;

  constructor(safeText: string) {
    super(safeText);
    this.name = new.target.name;
  }

  get safeText(): string {
    return this.message;
  }
}

/** No response, or a server error of the provider. */
export class MarketDataUnavailable extends MarketDataError {
  readonly retry = true;
  readonly reason: 'connection' | 'timeout' | 'status';
  readonly status: number | null;

  constructor(reason: 'connection' | 'timeout' | 'status', status: number | null = null) {
    const texts = {
      connection: 'does not accept or keep a connection',
      timeout: 'did not answer in time',
      status: `answered with HTTP ${status}`,
    };
    super(`the market-data provider ${texts[reason]}`);
    this.reason = reason;
    this.status = status;
  }
}

export class MarketDataLimited extends MarketDataError {
  readonly retry = true;
  readonly retryAfterSeconds: number | null;

  constructor(retryAfterSeconds: number | null) {
    const wait = retryAfterSeconds === null ? '' : ` for ${retryAfterSeconds} s`;
    super(
      `the market-data provider limits our request rate${wait}: raise prices.marketData.pollSeconds or use a key`,
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The provider rejected the request: wrong key, unknown id, or a range that the plan does not cover. */
export class MarketDataRefused extends MarketDataError {
  readonly retry = false;
  readonly status: number;

  constructor(status: number) {
    const keyed = status === 401 || status === 403;
    const advice = keyed
      ? 'prices.marketData.apiKey'
      : 'prices.marketData.url and the marketDataIds';
    super(`the market-data provider refused the request with HTTP ${status}: check ${advice}`);
    this.status = status;
  }
}

/** The response is invalid. */
export class MarketDataMalformed extends MarketDataError {
  readonly retry = true;

  constructor(what: string) {
    super(`the market-data provider answered with ${what}: check prices.marketData.url`);
  }
}
