import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Hex } from '../../domain/hex.ts';
import { poolTextsOf } from '../../domain/vault/poolTexts.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { Headed } from '../jsonText.ts';
import { readParameters } from '../parameters.ts';
import { NotFound, NotReady, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import { SLUG } from '../routeParameters.ts';
import { findAsOf, getAsOfBlocks, isFound } from './asOf.ts';
import { asOfHeaders } from './asOfHeaders.ts';
import { asOfParameters, readAskedMoment } from './asOfParameters.ts';
import { presentAsOf } from './asOfSchema.ts';
import { timeOf } from './asOfTime.ts';
import { listRoute } from './list.ts';
import { loadSnapshot, poolFamilyOf } from './loadSnapshot.ts';
import { type Presented, presentSnapshot } from './presentSnapshot.ts';
import { snapshotExample } from './snapshotExample.ts';
import { snapshotSchema } from './snapshotSchema.ts';

export interface SnapshotDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  /** See loadCursorKey. */
  readonly cursorKey: Hex;
}

/** GET /v1/vaults and GET /v1/vaults/{slug}. */
export function snapshotRoutes(deps: SnapshotDeps): Route[] {
  return [listRoute(deps), snapshotRoute(deps)];
}

function snapshotRoute({ config, store }: Omit<SnapshotDeps, 'cursorKey'>): Route {
  const textsOf = poolTextsOf(config.families);
  const find = (slug: string | undefined) => config.families.find((one) => one.slug === slug);
  return {
    path: '/v1/vaults/{slug}',
    access: 'open',
    operationId: 'getVault',
    summary: 'Get a vault family',
    description:
      'Returns the current values of a vault family over all its chains, its pools, and its exposure, as of the newest data point. Every row is read at the block that it names; a chain that cannot be read keeps its last row and is never reported as zero. 503 with Retry-After if the family was never read.',
    tag: 'vaults',
    parameters: [SLUG, ...asOfParameters],
    response: snapshotSchema,
    responseExample: snapshotExample,
    problems: [400, 404, 409, 410, 429, 503],
    maxAge: 5,
    families({ path }) {
      const family = find(path.slug);
      return family === undefined ? [] : familiesBehind(config, family);
    },
    async answer(request) {
      const moment = readParameters(readAskedMoment, request);
      const family = find(request.path.slug);
      if (family === undefined) throw new NotFound(noSuch('vault family'));
      const poolTexts = textsOf(family);
      if (moment !== undefined) {
        const time = await timeOf(store.reads, config, moment, [family]);
        return snapshotAsOf(store.reads, config, { family, poolTexts }, time);
      }
      const loaded = await loadSnapshot(store.reads, config, family);
      if (loaded === undefined) {
        throw new NotReady(`${family.slug} has not been read yet; try again soon`);
      }
      return presentSnapshot({ ...loaded, family, poolTexts });
    },
  };
}

/** The same as of a time. */
async function snapshotAsOf(
  db: Queryable,
  config: Config,
  described: Pick<Presented, 'family' | 'poolTexts'>,
  time: number,
): Promise<Headed> {
  const { family } = described;
  const found = (await findAsOf(db, config, [family], time)).get(family.slug)!;
  if (!isFound(found)) throw found.error;
  const [loaded, blocks] = await Promise.all([
    loadSnapshot(db, config, family, time),
    getAsOfBlocks(db, [{ family, asOf: found }]),
  ]);
  // A tick was made or removed meanwhile.
  if (loaded?.tick.at !== found.at) return snapshotAsOf(db, config, described, time);
  const body = {
    ...presentSnapshot({ ...loaded, ...described }),
    // Only the current one is kept.
    authority: null,
    asOf: presentAsOf(found, blocks.get(family.slug)!),
  };
  return new Headed(body, asOfHeaders([found]));
}

/** A feeder's pools change with its master's. */
function familiesBehind(config: Config, family: FamilyConfig): string[] {
  return [...new Set([family.slug, poolFamilyOf(config, family).slug])];
}
