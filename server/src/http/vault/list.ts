import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { toIso } from '../../domain/time.ts';
import type { Store } from '../../store/store.ts';
import { type NewestTick, snapshotTicks } from '../../store/ticks/readSnapshot.ts';
import { getVaultsOf, type NamedVault } from '../../store/vaults/read.ts';
import { checksummed } from '../checksum.ts';
import { readParameters } from '../parameters.ts';
import type { Route, RouteRequest } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { assetsOn, baseAddressOn, firstSettlementChain } from './familyAssets.ts';
import { listParameters, listSchema } from './listSchema.ts';
import { poolFamilyOf } from './loadSnapshot.ts';
import { presentFigures } from './presentSnapshot.ts';
import { exampleAssets, exampleFamily, exampleFigures } from './snapshotExample.ts';

/** GET /v1/vaults: beyond the interface, what one needs to find a slug. */
export function listRoute(deps: {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
}): Route {
  const { families } = deps.config;
  const slugs = families.map(({ slug }) => slug);
  return {
    path: '/v1/vaults',
    access: 'open',
    operationId: 'listVaults',
    summary: 'All vault families',
    description:
      'Every vault family in the order of the configuration, with its main figures; `stats` is null while it has never been read. Filters combine: with both, the base asset is meant on that chain. What matches nothing gives an empty list.',
    tag: 'vaults',
    parameters: listParameters,
    response: listSchema,
    responseExample: [
      {
        ...exampleFamily,
        assets: exampleAssets,
        chains: [{ chainId: 8453, role: 'settlement', vault: exampleFamily.address }],
        stats: { updatedAt: '2026-03-01T12:00:00.000Z', ...exampleFigures },
      },
    ],
    problems: [400, 429],
    maxAge: 5,
    families: () => slugs,
    async answer(request) {
      const filter = readFilter(request);
      const db = deps.store.reads;
      const [newest, vaults] = await Promise.all([
        snapshotTicks.getNewest(db, slugs),
        getVaultsOf(db, slugs),
      ]);
      return families
        .map((family) => ({
          family,
          newest: newest.find(({ slug }) => slug === family.slug),
          masterTick: masterTickOf(deps.config, family, newest),
          vaults: vaults.filter(({ slug }) => slug === family.slug),
        }))
        .filter((listed) => matches(listed, filter))
        .map(present);
    },
  };
}

interface Listed {
  readonly family: FamilyConfig;
  readonly newest: NewestTick | undefined;
  readonly masterTick: Tick | null;
  readonly vaults: readonly NamedVault[];
}

interface Filter {
  readonly chainId: number | undefined;
  readonly address: Address | undefined;
  readonly symbol: string | undefined;
}

function readFilter(request: RouteRequest): Filter {
  return readParameters((parameters) => {
    const chainId = parameters.optionalInteger('chainId', CHAIN_ID);
    const asset = parameters.text('baseAsset');
    const isAddress = asset !== undefined && /^0x/i.test(asset);
    return {
      chainId,
      address: isAddress ? parameters.address('baseAsset', asset) : undefined,
      symbol: isAddress ? undefined : asset?.toLowerCase(),
    };
  }, request);
}

function matches({ family, vaults }: Listed, { chainId, address, symbol }: Filter): boolean {
  const chainIds = family.chains
    .map((chain) => chain.chainId)
    .filter((id) => chainId === undefined || id === chainId);
  if (address === undefined && symbol === undefined) return chainIds.length > 0;
  return chainIds.some((id) => {
    if (address !== undefined) return baseAddressOn(family, id, vaults) === address;
    const known = assetsOn(family, id, vaults)?.base.symbol ?? family.baseAsset.symbol;
    return known?.toLowerCase() === symbol;
  });
}

/** As in the snapshot: a feeder has a part in what its master is streamed. */
function masterTickOf(
  config: Config,
  family: FamilyConfig,
  newest: readonly NewestTick[],
): Tick | null {
  const master = poolFamilyOf(config, family);
  if (master === family) return null;
  return newest.find(({ slug }) => slug === master.slug)?.tick ?? null;
}

function present({ family, newest, masterTick, vaults }: Listed) {
  const tick = newest?.tick ?? null;
  return {
    slug: family.slug,
    name: family.name,
    address: checksummed(family.address),
    feederOf: family.feederOf,
    assets: assetsOn(family, firstSettlementChain(family), vaults) ?? null,
    chains: family.chains.map(({ chainId, role, address }) => ({
      chainId,
      role,
      vault: checksummed(address),
    })),
    stats: tick && { updatedAt: toIso(tick.at), ...presentFigures({ tick, masterTick }) },
  };
}
