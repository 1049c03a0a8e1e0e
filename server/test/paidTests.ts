import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createNodes } from '../src/payments/chain/nodes.ts';
import { createEmbeddedFacilitator } from '../src/payments/facilitator/embedded.ts';
import type { Store } from '../src/store/store.ts';
import { createFacilitatorServer } from './facilitatorServer.ts';
import type { PaidServerOptions } from './paidServer.ts';
import { openPaidTestServer, type PaidTestServer } from './paidTestServer.ts';
import { createTokenChain, type TokenChain } from './tokenChain.ts';

type ShopOptions = Omit<PaidServerOptions, 'store'> & { readonly open: () => Promise<Store> };

/**
 * Creates a resource before the tests of the current suite and closes it after them; the last one created is closed
 * first. The returned object has no properties until then.
 */
export function useResource<T extends { close(): unknown }>(create: () => T | Promise<T>): T {
  const resource = {} as T;
  beforeAll(async () => {
    Object.assign(resource, await create());
  }, 60_000);
  afterAll(() => resource.close?.());
  return resource;
}

export function useTokenChain(options?: Parameters<typeof createTokenChain>[0]): TokenChain {
  return useResource(() => createTokenChain(options));
}

/** Opens one server for all tests of the current suite. */
export function useShop({ open, ...options }: ShopOptions): PaidTestServer {
  return useResource(async () => openPaidTestServer({ store: await open(), ...options }));
}

/** Returns a function that opens a server for the current test, so that it handles no payments of the next one. */
export function useShops({ open, ...defaults }: ShopOptions) {
  return async (options: Partial<PaidServerOptions> = {}): Promise<PaidTestServer> => {
    const shop = await openPaidTestServer({ store: await open(), ...defaults, ...options });
    onTestFinished(shop.close);
    return shop;
  };
}

/** Starts a facilitator service that settles with the first key of the chain. */
export function useFacilitatorServer(chain: TokenChain) {
  const nodes = useResource(() =>
    createNodes({ chainId: 8453, rpcUrls: [chain.url], timeoutMs: 20_000 }),
  );
  const embedded = useResource(() =>
    createEmbeddedFacilitator({
      nodes,
      terms: chain.terms,
      privateKeys: chain.keys.slice(0, 1),
      multicall: chain.multicall,
      maxFeePerGas: 10n ** 12n,
    }),
  );
  const server = useResource(() =>
    createFacilitatorServer({ facilitator: embedded, network: 'eip155:8453' }),
  );
  return { nodes, embedded, server };
}
