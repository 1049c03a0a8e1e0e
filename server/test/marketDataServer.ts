import http from 'node:http';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';

/** A market-data provider with CoinGecko's interface: a price for every hour, and the current price. */
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
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}/api/v3`,
    fall: () => stopServer(server),
    rise: async () => void (await listenOnLoopback(server, port)),
    close: async () => {
      if (server.listening) await stopServer(server);
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
}
