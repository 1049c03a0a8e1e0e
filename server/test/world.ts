import { stringify } from 'yaml';
import { buildSmallWorld, type World, type WorldOptions } from '../../devnet/src/index.ts';
import type { Config } from '../src/config/config.ts';
import { parseConfig } from '../src/config/load.ts';

/** Local chains served over HTTP, with the configuration that indexes them. */
export interface ServedWorld {
  readonly world: World;
  urlOf(chainId: number): string;
  /** Returns the newest block of every chain by chain id. */
  heads(): ReadonlyMap<number, number>;
  /** Returns the configuration as an operator would write it; `rpc` replaces a chain's URLs. */
  yaml(options?: WorldConfigOptions): string;
  config(options?: WorldConfigOptions): Config;
  close(): Promise<void>;
}

export interface WorldConfigOptions {
  readonly rpc?: Readonly<Record<number, readonly string[]>>;
  readonly families?: readonly string[];
  readonly chain?: Readonly<Record<string, unknown>>;
  readonly ticks?: { readonly liveSeconds: number; readonly backfillSeconds: number };
  readonly storeFolder?: string;
  /** Edits the file's content before it is written. */
  readonly edit?: (file: WorldFile) => void;
}

/** The content of a configuration file before it is converted to text. */
export type WorldFile = ReturnType<typeof describe>;

export async function serveWorld(
  options: Partial<WorldOptions> & { seed: string },
): Promise<ServedWorld> {
  const world = await buildSmallWorld(options);
  const servers = await Promise.all(
    world.chains.map(async (chain) => {
      const server = await chain.chain.serve({ port: 0, host: '127.0.0.1' });
      chain.url = server.url;
      return server;
    }),
  );
  const yaml = (asked: WorldConfigOptions = {}) => {
    const file = describe(world, asked);
    asked.edit?.(file);
    return stringify(file);
  };
  return {
    world,
    urlOf: (chainId) => world.chain(chainId).url!,
    heads: () => new Map(world.chains.map(({ chainId, chain }) => [chainId, chain.tip.number])),
    yaml,
    config: (asked) => parseConfig({ file: 'world.yaml', text: yaml(asked), env: {} }),
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function describe(world: World, options: WorldConfigOptions) {
  const slugs = options.families ?? world.families.map(({ slug }) => slug);
  const chainIds = world.chains.map(({ chainId }) => chainId);
  return {
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    store: { folder: options.storeFolder ?? 'unused' },
    ticks: options.ticks ?? { liveSeconds: 300, backfillSeconds: 3600 },
    chains: world.chains.map(({ chainId, name, url }) => ({
      id: chainId,
      name,
      rpc: options.rpc?.[chainId] ?? [url],
      finality: { depth: 64 },
      pollSeconds: 0.1,
      // A busy machine must not look like a failed RPC endpoint; only tests of faults need a short timeout.
      timeoutSeconds: 60,
      ...options.chain,
    })),
    prices: {
      maxAgeSeconds: 86_400,
      feeds: Object.fromEntries(
        world.feeds.map(({ name, address, chainId, startBlock }) => [
          name,
          { aggregator: address, chain: chainId, startBlock },
        ]),
      ),
    },
    families: world.families
      .filter(({ slug }) => slugs.includes(slug))
      .map((family) => ({
        slug: family.slug,
        name: family.name,
        address: family.address,
        adapter: 'receiver-queue',
        feederOf: family.feederOf,
        bindingDeclarationAddress: family.bindingDeclarationAddress,
        base: { marketDataId: family.marketDataId },
        share: { marketDataId: family.slug },
        priceFeed: family.priceFeed,
        chains: family.chains
          .filter(({ chainId }) => chainIds.includes(chainId))
          .map(({ chainId, role, startBlock }) => ({
            chain: chainId,
            role,
            startBlock,
            oracle: world.oracle,
            registry: world.registry,
            routers: [world.router],
          })),
      })),
  };
}
