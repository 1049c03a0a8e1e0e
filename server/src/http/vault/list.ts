import type { Config, FamilyConfig } from '../../config/config.ts';
import { groupBy } from '../../domain/groupBy.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { Tick } from '../../domain/series/tick.ts';
import { toIso } from '../../domain/time.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { snapshotTicks } from '../../store/ticks/readSnapshot.ts';
import { getVaultsOf, type NamedVault } from '../../store/vaults/read.ts';
import { checksummed } from '../checksum.ts';
import { type AskedPage, createFamilyPages, type FamilyPages } from '../familyPages.ts';
import { Headed, Page } from '../jsonText.ts';
import { readParameters } from '../parameters.ts';
import type { Route, RouteRequest } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { type AsOf, type AsOfBlock, findAsOf, getAsOfBlocks, isFound } from './asOf.ts';
import { asOfHeaders } from './asOfHeaders.ts';
import { type AskedMoment, readAskedMoment } from './asOfParameters.ts';
import { presentAsOf } from './asOfSchema.ts';
import { timeOf } from './asOfTime.ts';
import { baseAddressOn, baseSymbolOn, mainAssets } from './familyAssets.ts';
import { listParameters, listSchema } from './listSchema.ts';
import { poolFamilyOf } from './loadSnapshot.ts';
import { presentFigures } from './presentSnapshot.ts';
import { exampleAssets, exampleFamily, exampleFigures } from './snapshotExample.ts';

/** GET /v1/vaults: find the slug of a family. */
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
    summary: 'List vault families',
    description:
      'Returns every vault family in the order of the configuration, with its main values; `stats` is null if it was never read. Filters combine: with both, the base asset is matched on that chain. Without a match, the list is empty. A page has up to 500 families; if more follow, the `Link` header has the URL of the next page.',
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
    problems: [400, 409, 410, 429],
    paged: true,
    maxAge: 5,
    families(request) {
      const asked = readAsked(request, pages);
      // The families with the asset are read with the response.
      return isOfAsset(asked)
        ? 'all'
        : slugsFor(deps.config, candidates(asked).slice(0, asked.limit));
    },
    async answer(request) {
      const asked = readAsked(request, pages);
      const { limit, moment } = asked;
      const time =
        moment && (await timeOf(deps.store.reads, deps.config, moment, candidates(asked)));
      const page = isOfAsset(asked)
        ? await readMatching(asked, time)
        : await readListed(candidates(asked).slice(0, limit + 1), time);
      const last = page.length > limit ? page[limit - 1]!.family.slug : undefined;
      const next = last === undefined ? null : pages.next(asked.given, { limit, last });
      const listed = page.slice(0, limit);
      const answer = new Page(listed.map(present), next);
      if (time === undefined) return answer;
      return new Headed(answer, asOfHeaders(listed.map(({ asOf }) => asOf)));
    },
  };

  /** Returns the families from the page on that the configuration does not exclude. */
  function candidates({ after, chainId }: Asked): readonly FamilyConfig[] {
    const rest = after === undefined ? families : families.slice(places.get(after)! + 1);
    if (chainId === undefined) return rest;
    return rest.filter(({ chains }) => chains.some((chain) => chain.chainId === chainId));
  }

  /** Returns the families with the requested asset, one more than the page has. */
  async function readMatching(asked: Asked, time: number | undefined): Promise<Listed[]> {
    const some = candidates(asked);
    const vaults = groupBy(await getVaultsOf(deps.store.reads, some.map(slugOf)), slugOf);
    const found = some.filter((family) => matches(family, vaults.get(family.slug) ?? [], asked));
    return readListed(found.slice(0, asked.limit + 1), time);
  }

  async function readListed(
    listed: readonly FamilyConfig[],
    time: number | undefined,
  ): Promise<Listed[]> {
    const db = deps.store.reads;
    const [newest, vaults, points] = await Promise.all([
      snapshotTicks.getNewest(db, slugsFor(deps.config, listed), time),
      getVaultsOf(db, listed.map(slugOf)).then((vaults) => groupBy(vaults, slugOf)),
      time === undefined ? NO_POINTS : findPoints(db, listed, time),
    ]);
    const ticks = new Map(newest.map(({ slug, tick }) => [slug, tick]));
    return listed.map((family) => {
      const master = poolFamilyOf(deps.config, family);
      const asOf = points.get(family.slug);
      const isListed = time === undefined || asOf !== undefined;
      return {
        family,
        asOf,
        tick: isListed ? (ticks.get(family.slug) ?? null) : null,
        // As in the snapshot: a feeder has a share of its master's rewards.
        masterTick: master === family ? null : (ticks.get(master.slug) ?? null),
        vaults: vaults.get(family.slug) ?? [],
      };
    });
  }

  /** The data points of the families that have one. */
  async function findPoints(
    db: Queryable,
    listed: readonly FamilyConfig[],
    time: number,
  ): Promise<ReadonlyMap<string, Point>> {
    const found = await findAsOf(db, deps.config, listed, time);
    const points = listed.flatMap((family) => {
      const asOf = found.get(family.slug)!;
      return isFound(asOf) ? [{ family, asOf }] : [];
    });
    const blocks = await getAsOfBlocks(db, points);
    return new Map(
      points.map(({ family: { slug }, asOf }) => [slug, { ...asOf, blocks: blocks.get(slug)! }]),
    );
  }
}

const PATH = '/v1/vaults';

type Point = AsOf & { readonly blocks: readonly AsOfBlock[] };

const NO_POINTS: ReadonlyMap<string, Point> = new Map();

interface Listed {
  readonly family: FamilyConfig;
  /** Undefined for the present, and for a family without data then. */
  readonly asOf: Point | undefined;
  readonly tick: Tick | null;
  readonly masterTick: Tick | null;
  readonly vaults: readonly NamedVault[];
}

interface Asked extends AskedPage {
  readonly chainId: number | undefined;
  readonly address: Address | undefined;
  readonly symbol: string | undefined;
  readonly moment: AskedMoment | undefined;
  /** The filters as received, for the URL of the next page. */
  readonly given: object;
}

function readAsked(request: RouteRequest, pages: FamilyPages): Asked {
  return readParameters((parameters) => {
    const chainId = parameters.optionalInteger('chainId', CHAIN_ID);
    const baseAsset = parameters.text('baseAsset');
    const isAddress = baseAsset !== undefined && /^0x/i.test(baseAsset);
    const moment = readAskedMoment(parameters);
    const given = {
      chainId,
      baseAsset,
      at: parameters.text('at'),
      block: parameters.text('block'),
    };
    return {
      chainId,
      address: isAddress ? parameters.address('baseAsset', baseAsset) : undefined,
      symbol: isAddress ? undefined : baseAsset?.toLowerCase(),
      moment,
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
    return baseSymbolOn(family, id, vaults)?.toLowerCase() === symbol;
  });
}

/** The families whose ticks are shown: these, and the masters of feeders. */
function slugsFor(config: Config, listed: readonly FamilyConfig[]): string[] {
  return [...new Set(listed.flatMap((family) => [family.slug, poolFamilyOf(config, family).slug]))];
}

function slugOf({ slug }: { readonly slug: string }): string {
  return slug;
}

function present({ family, asOf, tick, masterTick, vaults }: Listed) {
  return {
    slug: family.slug,
    name: family.name,
    address: checksummed(family.address),
    feederOf: family.feederOf,
    assets: mainAssets(family, vaults) ?? null,
    chains: family.chains.map(({ chainId, role, address }) => ({
      chainId,
      role,
      vault: checksummed(address),
    })),
    stats: tick && { updatedAt: toIso(tick.at), ...presentFigures({ tick, masterTick }) },
    ...(asOf && { asOf: presentAsOf({ ...asOf, at: tick?.at ?? asOf.at }, asOf.blocks) }),
  };
}
