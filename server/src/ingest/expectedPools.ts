import { topicAddress } from '../chain/abi.ts';
import type { ChainClient, Header, RawLog } from '../chain/chainClient.ts';
import { groupBy } from '../domain/groupBy.ts';
import type { Address } from '../domain/hex.ts';
import type { DeclaredPool } from '../store/pools/pools.ts';
import { KINDS } from '../vaults/index.ts';
import type { VaultOnChain } from '../vaults/kind.ts';
import { POOL_DECLARED } from '../vaults/pools.ts';
import { readRecentLogs } from '../vaults/recognize/recentLogs.ts';

export interface ExpectedPools {
  /** Declared pools of a vault, oldest first. */
  poolsOf(vault: VaultOnChain): readonly DeclaredPool[];
  /** False if the RPC endpoint limits ranges so much that only newer declarations were read. */
  readonly complete: boolean;
}

/** Reads from registries the pools that an indexer has in its store. */
export async function readExpectedPools(
  { client, head }: { readonly client: ChainClient; readonly head: Header },
  vaults: readonly VaultOnChain[],
): Promise<ExpectedPools> {
  const chains = vaults.map(({ chain }) => chain);
  const registries = new Set(chains.flatMap(({ registry }) => registry ?? []));
  if (registries.size === 0) return { poolsOf: () => [], complete: true };
  const { logs, complete } = await readRecentLogs(
    { client, block: head.number },
    {
      filter: { addresses: [...registries], topics: [[POOL_DECLARED]] },
      since: Math.min(...chains.map(({ startBlock }) => startBlock)),
      most: Number.POSITIVE_INFINITY,
    },
  );
  const byVault = groupBy(logs.toReversed(), declarer);
  return { poolsOf, complete };

  function poolsOf(vault: VaultOnChain): DeclaredPool[] {
    const { family, chain } = vault;
    if (chain.registry === undefined) return [];
    const own = byVault.get(keyOf(chain.registry, family.bindingDeclarationAddress)) ?? [];
    return own.flatMap((log) => {
      const { blockNumber, logIndex, blockTime } = log;
      const place = { blockTime: blockTime ?? 0, chainId: chain.chainId, blockNumber, logIndex };
      const event = KINDS[family.adapter].decode(log, place, vault);
      return event?.kind === 'pool' ? [{ place, pool: event }] : [];
    });
  }
}

function declarer({ address, topics: [, vault] }: RawLog): string {
  return vault === undefined ? '' : keyOf(address, topicAddress(vault));
}

function keyOf(registry: Address, vault: Address): string {
  return `${registry} ${vault}`;
}
