import type { Static } from 'typebox';
import { NotReady } from '../../problem.ts';
import type { snapshotSchema } from '../../vault/snapshotSchema.ts';
import { type BridgeContext, defineBridge } from './bridge.ts';
import { snapshotData, snapshotExample } from './snapshotShape.ts';
import { formatted, percentOrNull, percentText, secondsOf } from './values.ts';

type Snapshot = Static<typeof snapshotSchema>;
type Asset = Snapshot['assets']['base'];
type Pool = Snapshot['stats']['pools'][number];

export const snapshotBridge = defineBridge<Snapshot>({
  from: 'getVault',
  asked: ({ family }) => ({ path: { slug: family.slug } }),
  data: snapshotData,
  words:
    'Tokens, contracts, and `chain` are those of the requested network; all other values are of the family over all its networks, and `idleBalances` lists each network. The optional fields `type`, `depositVaultName`, `deployment`, `secondaryVaults`, `maxCap`, native asset, explorer, and block time are omitted. 503 for a network that was never read.',
  present,
  example: snapshotExample,
});

function present(snapshot: Snapshot, { deployment, chains }: BridgeContext<Snapshot>) {
  const { chainId, name } = deployment.chain;
  const unknown = `${snapshot.slug} has not been read on ${name}; request another of its networks`;
  const own = snapshot.chains.find((one) => one.chainId === chainId);
  if (own === undefined) throw new NotReady(unknown);
  const { vault, assets } = own;
  const { stats } = snapshot;
  const inBase = (raw: string) => formatted(raw, stats.baseAssetDecimals);
  const nameOf = (id: number) => chains.find((one) => one.chainId === id)!.name;
  const shown = (asset: Asset) => tokenOf(asset, unknown);
  return {
    id: snapshot.slug,
    name: snapshot.name,
    asset: shown(assets.base),
    shareAsset: shown(assets.share),
    chain: { id: chainId, name },
    contracts: {
      vaultAddress: vault,
      ...(snapshot.authority !== null && { authorityAddress: snapshot.authority }),
    },
    protocols: protocolsOf(stats.pools),
    stats: {
      tvl: inBase(stats.tvl),
      totalSupply: formatted(stats.totalShares, stats.shareDecimals),
      yield: yieldsOf(stats),
      rewardYield: percentText(stats.rewardApr),
      ...(stats.assetsPerShare !== null && { sharePrice: inBase(stats.assetsPerShare) }),
      idleBalance: inBase(stats.idle),
      investedBalance: inBase(stats.invested),
      idleBalances: stats.chains.map((one) => ({
        network: nameOf(one.chainId),
        ...inBase(one.idle),
      })),
      protocolStats: stats.pools.map((pool) => ({
        pool: pool.name,
        yield: yieldsOf(pool),
        balance: inBase(pool.value),
        protocol: pool.protocolName,
        allocation: allocationOf(pool.allocationBps),
      })),
    },
    lastUpdated: secondsOf(stats.updatedAt),
  };
}

/** The format requires the address of a token. */
function tokenOf({ name, symbol, decimals, address, marketDataId }: Asset, unknown: string) {
  if (address === null) throw new NotReady(unknown);
  return { name, symbol, decimals, address, coingeckoId: marketDataId };
}

function yieldsOf(rates: Pick<Pool, 'apy1d' | 'apy7d' | 'apy30d'>) {
  return {
    '1d': percentOrNull(rates.apy1d),
    '7d': percentOrNull(rates.apy7d),
    '30d': percentOrNull(rates.apy30d),
  };
}

function protocolsOf(pools: readonly Pool[]) {
  const sums = new Map<string, number>();
  for (const { protocolName, allocationBps } of pools) {
    if (protocolName === '') continue;
    sums.set(protocolName, (sums.get(protocolName) ?? 0) + allocationBps);
  }
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .map(([name, bps]) => ({ name, allocation: allocationOf(bps) }));
}

function allocationOf(bps: number) {
  return formatted(String(bps), 2);
}
