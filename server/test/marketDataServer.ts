import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A market-data provider of CoinGecko's shape: a price for every hour, and one of now. */
export interface MarketDataServer {
  readonly url: string;
  /** Refuses connections until `rise`. */
  fall(): Promise<void>;
  rise(): Promise<void>;
  close(): Promise<void>;
}

const HOUR = 3600;

export async function serveMarketData(options: {
  readonly id: string;
  readonly key: { readonly header: string; readonly value: string };
  readonly priceAt: (at: number) => number;
}): Promise<MarketDataServer> {
  const { id, key, priceAt } = options;
  const server = http.createServer((request, response) => {
    const url = new URL(request.url!, 'http://provider');
    const body = request.headers[key.header] === key.value ? answer(url) : undefined;
    response.statusCode = body === undefined ? 401 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body ?? { error: 'no' }));
  });
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}/api/v3`,
    fall: stop,
    rise: async () => void (await listen(port)),
    close: async () => {
      if (server.listening) await stop();
    },
  };

  function answer(url: URL): unknown {
    if (url.pathname === '/api/v3/simple/price') {
      const now = Math.floor(Date.now() / 1000);
      return { [id]: { usd: priceAt(now), last_updated_at: now } };
    }
    if (url.pathname !== `/api/v3/coins/${id}/market_chart/range`) return undefined;
    const [from, to] = [Number(url.searchParams.get('from')), Number(url.searchParams.get('to'))];
    const prices: [number, number][] = [];
    for (let at = Math.ceil(from / HOUR) * HOUR; at <= to; at += HOUR) {
      prices.push([at * 1000, priceAt(at)]);
    }
    return { prices, market_caps: [], total_volumes: [] };
  }

  function listen(on: number): Promise<number> {
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(on, '127.0.0.1', () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  async function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }
}
