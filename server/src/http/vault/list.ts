import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { toIso } from '../../domain/time.ts';
import type { Store } from '../../store/store.ts';
import { snapshotTicks } from '../../store/ticks/readSnapshot.ts';
import { getVaultsOf, type NamedVault } from '../../store/vaults/read.ts';
import { checksummed } from '../checksum.ts';
import { type AskedPage, createFamilyPages, type FamilyPages } from '../familyPages.ts';
import { Page } from '../jsonText.ts';
import { readParameters } from '../parameters.ts';
import type { Route, RouteRequest } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { assetsOn, baseAddressOn, firstSettlementChain } from './familyAssets.ts';
import { listParameters, listSchema } from './listSchema.ts';
import { poolFamilyOf } from './loadSnapshot.ts';
import { presentFigures } from './presentSnapshot.ts';
import { exampleAssets, exampleFamily, exampleFigures } from './snapshotExample.ts';

/** GET /v1/vaults: what one needs to find a slug. */
export function listRoute(deps: {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  /** See loadCursorKey. */
  readonly cursorKey: Hex;
}): Route {
  const { families, http } = deps.config;
  const places = new Map(families.map(({ slug }, place) => [slug, place]));
  const pages = createFamilyPages({
    path: PATH,
    key: deps.cursorKey,
    publicUrl: http?.publicUrl,
    isKnown: (slug) => places.has(slug),
  });
  return {
    path: PATH,
    access: 'open',
    operationId: 'listVaults',
    summary: 'All vault families',
    description:
      'Every vault family in the order of the configuration, with its main figures; `stats` is null while it has never been read. Filters combine: with both, the base asset is meant on that chain. What matches nothing gives an empty list. A page has up to 500 families; if more follow, the `Link` header has the URL of the next page.',
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
    paged: true,
    maxAge: 5,
    families(request) {
      const asked = readAsked(request, pages);
      // Which families have the asset is read with the answer.
      return isOfAsset(asked)
        ? 'all'
        : slugsFor(deps.config, candidates(asked).slice(0, asked.limit));
    },
    async answer(request) {
      const asked = readAsked(request, pages);
      const { limit } = asked;
      const page = isOfAsset(asked)
        ? await readMatching(asked)
        : await readListed(candidates(asked).slice(0, limit + 1));
      const last = page.length > limit ? page[limit - 1]!.family.slug : undefined;
      const next = last === undefined ? null : pages.next(asked.given, { limit, last });
      return new Page(page.slice(0, limit).map(present), next);
    },
  };

  /** The families from the page on that the configuration alone does not rule out. */
  function candidates({ after, chainId }: Asked): readonly FamilyConfig[] {
    const rest = after === undefined ? families : families.slice(places.get(after)! + 1);
    if (chainId === undefined) return rest;
    return rest.filter(({ chains }) => chains.some((chain) => chain.chainId === chainId));
  }

  /** The families of the asset that was asked for, one more than the page has. */
  async function readMatching(asked: Asked): Promise<Listed[]> {
    const some = candidates(asked);
    const vaults = groupBySlug(await getVaultsOf(deps.store.reads, some.map(slugOf)));
    const found = some.filter((family) => matches(family, vaults.get(family.slug) ?? [], asked));
    return readListed(found.slice(0, asked.limit + 1));
  }

  async function readListed(listed: readonly FamilyConfig[]): Promise<Listed[]> {
    const db = deps.store.reads;
    const [newest, vaults] = await Promise.all([
      snapshotTicks.getNewest(db, slugsFor(deps.config, listed)),
      getVaultsOf(db, listed.map(slugOf)).then(groupBySlug),
    ]);
    const ticks = new Map(newest.map(({ slug, tick }) => [slug, tick]));
    return listed.map((family) => {
      const master = poolFamilyOf(deps.config, family);
      return {
        family,
        tick: ticks.get(family.slug) ?? null,
        // As in the snapshot: a feeder has a part in what its master is streamed.
        masterTick: master === family ? null : (ticks.get(master.slug) ?? null),
        vaults: vaults.get(family.slug) ?? [],
      };
    });
  }
}

const PATH = '/v1/vaults';

interface Listed {
  readonly family: FamilyConfig;
  readonly tick: Tick | null;
  readonly masterTick: Tick | null;
  readonly vaults: readonly NamedVault[];
}

interface Asked extends AskedPage {
  readonly chainId: number | undefined;
  readonly address: Address | undefined;
  readonly symbol: string | undefined;
  /** The filters as they came, for the URL of the next page. */
  readonly given: object;
}

function readAsked(request: RouteRequest, pages: FamilyPages): Asked {
  return readParameters((parameters) => {
    const chainId = parameters.optionalInteger('chainId', CHAIN_ID);
    const baseAsset = parameters.text('baseAsset');
    const isAddress = baseAsset !== undefined && /^0x/i.test(baseAsset);
    const given = { chainId, baseAsset };
    return {
      chainId,
      address: isAddress ? parameters.address('baseAsset', baseAsset) : undefined,
      symbol: isAddress ? undefined : baseAsset?.toLowerCase(),
      given,
      ...pages.read(parameters, given),
    };
  }, request);
}

function isOfAsset({ address, symbol }: Asked): boolean {
  return address !== undefined || symbol !== undefined;
}

function matches(
  family: FamilyConfig,
  vaults: readonly NamedVault[],
  { chainId, address, symbol }: Asked,
): boolean {
  const chainIds = family.chains
    .map((chain) => chain.chainId)
    .filter((id) => chainId === undefined || id === chainId);
  return chainIds.some((id) => {
    if (address !== undefined) return baseAddressOn(family, id, vaults) === address;
    const known = assetsOn(family, id, vaults)?.base.symbol ?? family.baseAsset.symbol;
    return known?.toLowerCase() === symbol;
  });
}

/** The families whose ticks are shown: these, and the masters of those that are feeders. */
function slugsFor(config: Config, listed: readonly FamilyConfig[]): string[] {
  return [...new Set(listed.flatMap((family) => [family.slug, poolFamilyOf(config, family).slug]))];
}

function slugOf({ slug }: { readonly slug: string }): string {
  return slug;
}

function groupBySlug(vaults: readonly NamedVault[]): Map<string, NamedVault[]> {
  const groups = new Map<string, NamedVault[]>();
  for (const vault of vaults) {
    const group = groups.get(vault.slug);
    if (group === undefined) groups.set(vault.slug, [vault]);
    else group.push(vault);
  }
  return groups;
}

function present({ family, tick, masterTick, vaults }: Listed) {
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
