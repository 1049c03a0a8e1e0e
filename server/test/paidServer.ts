import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type {
  ChainConfig,
  GasConfig,
  PaymentsConfig,
  RateLimitConfig,
} from '../src/config/config.ts';
import { toPayments } from '../src/config/toPayments.ts';
import { closeServer } from '../src/http/listen.ts';
import type { PaidRoute } from '../src/http/paid/paidRoute.ts';
import type { RouteRequest } from '../src/http/route.ts';
import { createServer } from '../src/http/server.ts';
import type { Listing } from '../src/payments/facilitator/remote.ts';
import { openPayments, type PaymentService } from '../src/payments/service.ts';
import type { SellingChange } from '../src/payments/settlement/selling.ts';
import type { Store } from '../src/store/store.ts';
import type { TokenChain } from './tokenChain.ts';

export const PUBLIC_URL = 'https://risk.example';

/** The server's default. */
const GRACE_MS = 20_000;

/** A server that sells the test's responses, on a real chain and a real store. */
export interface PaidServer {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly payments: PaymentService;
  readonly errors: readonly unknown[];
  close(): Promise<void>;
}

export interface PaidServerOptions {
  readonly store: Store;
  readonly chain: TokenChain;
  /** The sold response. Default: returns the nodeId or the query. */
  readonly answer?: (request: RouteRequest) => Promise<unknown>;
  /** Replaces `answer`. */
  readonly routes?: readonly PaidRoute[];
  readonly payments?: Partial<PaymentsConfig>;
  readonly rpcUrl?: string;
  /** Timeout of requests to the RPC endpoint. Default: 5. */
  readonly timeoutSeconds?: number;
  /** The vault data API's rate limit, which also decides how clients are identified. Default: none. */
  readonly rateLimit?: RateLimitConfig;
  /** Base URL of resources. Default: PUBLIC_URL. */
  readonly publicUrl?: (host?: string) => string;
  readonly now?: () => number;
  /** Whether the store has space. Default: always. */
  readonly hasRoom?: () => boolean;
  readonly onListing?: (listing: Listing) => void;
  readonly onSelling?: (change: SellingChange) => void;
}

/** The default configuration. */
export const GAS: GasConfig = {
  nativePrice: null,
  priceShare: 1_000_000n,
  payerPerHour: 100_000_000n,
  lostPerHour: 20_000_000n,
  plainLostPerHour: 2_000_000n,
  waitSeconds: 60,
  maxWaitSeconds: 3_600,
};

export async function startPaidServer(options: PaidServerOptions): Promise<PaidServer> {
  const { store, chain } = options;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const config = paymentsConfig(chain, options.payments);
  const payments = await openPayments({
    config,
    chain: {
      ...chainConfig(chain),
      rpcUrls: [options.rpcUrl ?? chain.url],
      timeoutSeconds: options.timeoutSeconds ?? 5,
    },
    store,
    publicUrl: options.publicUrl ?? (() => PUBLIC_URL),
    now,
    hasRoom: options.hasRoom,
    onError,
    onLowBalance: () => {},
    ...(options.onListing && { onListing: options.onListing }),
    ...(options.onSelling && { onSelling: options.onSelling }),
  });
  const answer = options.answer ?? (async ({ path, query }) => ({ ...path, query: [...query] }));
  const app = createServer({
    version: '0.0.0',
    getChainStatuses: async () => [],
    onError,
    now,
    routes: options.routes ?? paidRoutes(answer),
    paid: { gate: payments.gate, offer: config },
    ...(options.rateLimit && { http: { rateLimit: options.rateLimit } }),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, app, payments, errors, close };

  async function close(): Promise<void> {
    await closeServer(app, GRACE_MS);
    await payments.close();
  }
}

export function paymentsConfig(
  chain: TokenChain,
  changes: Partial<PaymentsConfig> = {},
): PaymentsConfig {
  const { chainId, asset, payTo } = chain.terms;
  const file = { chain: chainId, asset, payTo, facilitator: { keys: [...chain.keys] } };
  return {
    ...toPayments(file),
    ...chain.terms,
    facilitator: {
      kind: 'embedded',
      keys: chain.keys,
      maxFeePerGas: 10n ** 12n,
      lowBalance: 0n,
      factories: [],
    },
    ...changes,
  };
}

function chainConfig(chain: TokenChain): ChainConfig {
  return {
    chainId: chain.terms.chainId,
    name: 'base',
    rpcUrls: [chain.url],
    finality: 'finalized',
    pollSeconds: 1,
    timeoutSeconds: 5,
    logRange: 1_000,
    concurrency: 1,
    multicall: chain.multicall,
  };
}

function paidRoutes(answer: (request: RouteRequest) => Promise<unknown>): PaidRoute[] {
  const route = (name: PaidRoute['price'], path: string, parameters: PaidRoute['parameters']) => ({
    path,
    access: 'paid' as const,
    operationId: name,
    price: name,
    summary: `A ${name} query`,
    description: '',
    tag: 'risk' as const,
    parameters,
    response: Type.Unknown(),
    responseExample: {},
    problems: [],
    maxAge: 0,
    answer,
  });
  const text = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: true,
    description: '',
    schema: Type.String(),
    example: 'x',
  });
  return [
    route('schema', '/api/v1/agent/schema', []),
    route('search', '/api/v1/agent/search', [text('q', 'query')]),
    route('node', '/api/v1/agent/node/{nodeId}', [text('nodeId', 'path')]),
    route('dependencies', '/api/v1/agent/dependencies', [text('nodeId', 'query')]),
  ];
}
