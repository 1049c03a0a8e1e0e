import type {
  ChainConfig,
  FamilyChainConfig,
  FamilyConfig,
  PoolText,
} from '../../config/config.ts';
import { ratio } from '../../domain/amount.ts';
import type { Address } from '../../domain/hex.ts';
import type { PoolFacts, RiskNode } from '../../domain/risk/graph.ts';
import { assetId, poolId } from '../../domain/risk/nodeId.ts';
import type { RiskRecord } from '../../domain/risk/record.ts';
import { poolTextsOf } from '../../domain/vault/poolTexts.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { createGraphNodes, type EdgeRow } from './graphNodes.ts';

/** What is known of a family now; of one that was never read, nothing but its configuration. */
export interface FamilyState {
  readonly family: FamilyConfig;
  readonly vaults: readonly VaultRow[];
  readonly tvl: bigint;
  readonly invested: bigint;
  readonly tvlUsd: number | null;
  readonly apy: number | null;
  /** Its own pools in force; a feeder has none. */
  readonly pools: readonly {
    readonly chainId: number;
    readonly venue: Address;
    readonly offchainId: string;
    readonly value: bigint;
  }[];
}

/**
 * The vault families as nodes: their vaults, the pools that they are invested in, the tokens, and the protocols and
 * chains of these. Their figures are those that the vault API serves; a tick that moves them little changes nothing.
 */
export function familyRecords(
  chains: readonly ChainConfig[],
  states: readonly FamilyState[],
): RiskRecord[] {
  const nodes = createGraphNodes(chains);
  const { add, addChain, addProtocol, addAsset, slugOf } = nodes;
  const poolTexts = poolTextsOf(states.map(({ family }) => family));
  const bySlug = new Map(states.map((state) => [state.family.slug, state]));
  for (const state of states) addFamily(state);
  return nodes
    .getAll()
    .map(({ node, edges }) => ({ node, edges, rounded: roundedFacts(node.facts) }));

  function addFamily(state: FamilyState): void {
    const { family, vaults, tvl } = state;
    const bases = new Map(
      vaults.flatMap((vault): [number, string][] => {
        const { symbol = '', name = '' } = family.baseAsset;
        const { chainId, asset, assetSymbol, assetName } = vault;
        if (asset === null) return [];
        return [[chainId, addAsset(chainId, asset, assetSymbol || symbol, assetName || name)]];
      }),
    );
    for (const vault of vaults) addShare(family, vault, bases.get(vault.chainId));
    const part = (value: bigint) => (tvl <= 0n || value <= 0n ? 0 : rounded(ratio(value, tvl)));
    const texts = poolTexts(family);
    const allocations = state.pools.map((pool): EdgeRow => {
      const text = texts.find(({ offchainId }) => offchainId === pool.offchainId);
      return ['ALLOCATES', addPool(pool, text, bases.get(pool.chainId)), part(pool.value)];
    });
    const master = family.feederOf === null ? undefined : bySlug.get(family.feederOf);
    if (master !== undefined) {
      allocations.push(['ALLOCATES', vaultId(master.family), part(state.invested)]);
    }
    addVault(state, bases, allocations);
  }

  function addShare(family: FamilyConfig, vault: VaultRow, base: string | undefined): void {
    const { chainId, share } = vault;
    const chain = slugOf(chainId);
    const symbol = vault.shareSymbol || family.shareAsset.symbol || '';
    const name = vault.shareName || family.shareAsset.name || family.name;
    const facts = { name, symbol, chain, address: share, kind: 'vault-share' } as const;
    add({ id: assetId(chain, share), label: 'Asset', facts }, [
      ['LIVES_ON', addChain(chainId), 1],
      ...edgesTo(base),
    ]);
  }

  function edgesTo(base: string | undefined): EdgeRow[] {
    return base === undefined ? [] : [['IS_COLLATERALIZED_BY', base, 1]];
  }

  function addVault(
    { family, tvlUsd, apy }: FamilyState,
    bases: ReadonlyMap<number, string>,
    allocations: readonly EdgeRow[],
  ): void {
    const facts = {
      name: family.name,
      chain: slugOf(homeOf(family).chainId),
      address: homeOf(family).address,
      assets: 'single',
      ...(tvlUsd !== null && { tvlUsd }),
      ...(apy !== null && { apy }),
    } as const;
    const settlement = family.chains.filter(({ role }) => role === 'settlement');
    add({ id: vaultId(family), label: 'Pool', facts }, [
      ...settlement.map(({ chainId }) => ['LIVES_ON', addChain(chainId), 1] as EdgeRow),
      // Where assets are only deployed, nobody deposits.
      ...settlement.flatMap(({ chainId }): EdgeRow[] => {
        const base = bases.get(chainId);
        return base === undefined ? [] : [['ACCEPTS_DEPOSITS_IN', base, 1]];
      }),
      ...allocations,
    ]);
  }

  function addPool(
    { chainId, venue, offchainId }: FamilyState['pools'][number],
    text: PoolText | undefined,
    base: string | undefined,
  ): string {
    const chain = slugOf(chainId);
    const parts = text?.composition ?? [];
    const held = parts.filter(({ kind, share }) => kind === 'underlying' && share > 0);
    const protocol = text === undefined ? undefined : addProtocol(text.protocolName);
    const facts = {
      name: text?.name ?? offchainId,
      chain,
      address: venue,
      offchainId,
      ...(protocol !== undefined && { protocol: protocol.slice('protocol:'.length) }),
      ...(text?.poolUrl && { url: text.poolUrl }),
      // How several assets move together, the configuration does not say.
      ...(held.length <= 1 && { assets: 'single' as const }),
    };
    const edges: EdgeRow[] = [['LIVES_ON', addChain(chainId), 1]];
    if (protocol !== undefined) edges.push(['OPERATED_BY', protocol, 1]);
    if (held.length === 0 && base !== undefined) edges.push(['ACCEPTS_DEPOSITS_IN', base, 1]);
    for (const { kind, chainId: on, address, symbol, share } of parts) {
      const asset = addAsset(on, address, symbol);
      if (kind === 'collateral') edges.push(['IS_COLLATERALIZED_BY', asset, share]);
      else if (share > 0) edges.push(['ACCEPTS_DEPOSITS_IN', asset, 1]);
    }
    return add({ id: poolId(chain, venue), label: 'Pool', facts }, edges);
  }

  function vaultId(family: FamilyConfig): string {
    const { chainId, address } = homeOf(family);
    return poolId(slugOf(chainId), address);
  }
}

/** A family is one pool however many chains it lives on: the vault of its first settlement chain. */
function homeOf(family: FamilyConfig): FamilyChainConfig {
  return family.chains.find(({ role }) => role === 'settlement') ?? family.chains[0]!;
}

/** A weight in hundredths, but never nothing: it counts in grades and is not served. */
function rounded(value: number): number {
  if (value <= 0) return Math.round(value * 100) / 100;
  return Math.max(0.01, Math.round(value * 100) / 100);
}

/** Values to three digits, rates to basis points: what moves less than that is the same. */
function roundedFacts(facts: RiskNode['facts']): RiskNode['facts'] {
  const { tvlUsd, apy } = facts as PoolFacts;
  return {
    ...facts,
    ...(tvlUsd !== undefined && { tvlUsd: Number(tvlUsd.toPrecision(3)) }),
    ...(apy !== undefined && { apy: Math.round(apy * 10_000) / 10_000 }),
  };
}
