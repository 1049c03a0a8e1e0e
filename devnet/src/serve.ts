import { CHAINS } from './plan.ts';
import { type ProfileName, type Provider, serveProvider } from './provider/index.ts';
import type { RpcServer } from './rpcServer.ts';
import type { World, WorldChain } from './world.ts';

export interface ServeOptions {
  readonly host?: string;
  /** Port of the first chain; the others use the following ports. Absent or 0: any free ports. */
  readonly firstPort?: number;
  /** Uses the well-known ports if they are free, otherwise any free ports. */
  readonly preferred?: boolean;
}

/** Serves every chain on its own port and fills in the URLs. */
export async function serveWorld(
  world: World,
  { host = '127.0.0.1', firstPort, preferred = false }: ServeOptions = {},
): Promise<{ close(): Promise<void> }> {
  const servers: RpcServer[] = [];
  for (const [index, entry] of world.chains.entries()) {
    const server = await serveOne(entry, index);
    entry.url = server.url;
    servers.push(server);
  }
  return {
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      for (const entry of world.chains) entry.url = null;
    },
  };

  async function serveOne({ chain, chainId }: WorldChain, index: number): Promise<RpcServer> {
    if (firstPort) return chain.serve({ host, port: firstPort + index });
    const port =
      preferred && firstPort === undefined
        ? (CHAINS.find((plan) => plan.chainId === chainId)?.port ?? 0)
        : 0;
    try {
      return await chain.serve({ host, port });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port === 0) throw error;
      return chain.serve({ host, port: 0 });
    }
  }
}

/** Serves a provider in front of each chain; none without a name. */
export async function serveProviders(
  world: World,
  { provider: profile, host }: { provider: ProfileName | undefined; host: string },
): Promise<{ rpcUrls: ReadonlyMap<number, string>; close(): Promise<void> }> {
  const providers = new Map<number, Provider>();
  if (profile !== undefined) {
    for (const { chainId, url } of world.chains) {
      const provider = await serveProvider({ profile, target: url!, host, seed: chainId });
      providers.set(chainId, provider);
    }
  }
  return {
    rpcUrls: new Map([...providers].map(([chainId, { url }]) => [chainId, url])),
    async close() {
      await Promise.all([...providers.values()].map((provider) => provider.close()));
    },
  };
}
