import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Hex } from '../../domain/hex.ts';
import { poolTextsOf } from '../../domain/vault/poolTexts.ts';
import type { Store } from '../../store/store.ts';
import { NotFound, NotReady } from '../problem.ts';
import type { Route } from '../route.ts';
import { SLUG } from '../routeParameters.ts';
import { listRoute } from './list.ts';
import { loadSnapshot, poolFamilyOf } from './loadSnapshot.ts';
import { presentSnapshot } from './presentSnapshot.ts';
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
  const find = (slug: string | undefined) => config.families.find((one) => one.slug === slug);
  return {
    path: '/v1/vaults/{slug}',
    access: 'open',
    operationId: 'getVault',
    summary: 'A vault family now',
    description:
      'The figures of a vault family over all its chains, its pools and what they depend on, as of the newest tick. Every row is read at the block that it names; nothing is invented for a chain that cannot be read. 503 with Retry-After while the family has never been read.',
    tag: 'vaults',
    parameters: [SLUG],
    response: snapshotSchema,
    responseExample: snapshotExample,
    problems: [400, 404, 429, 503],
    maxAge: 5,
    families({ path }) {
      const family = find(path.slug);
      return family === undefined ? [] : familiesBehind(config, family);
    },
    async answer({ path }) {
      const family = find(path.slug);
      if (family === undefined) throw new NotFound(`there is no vault family ${path.slug}`);
      const loaded = await loadSnapshot(store.reads, config, family);
      if (loaded === undefined) {
        throw new NotReady(`${family.slug} has not been read yet; try again soon`);
      }
      const poolTexts = poolTextsOf(config.families, family);
      return presentSnapshot({ ...loaded, family, poolTexts });
    },
  };
}

/** A feeder's pools change with its master's. */
function familiesBehind(config: Config, family: FamilyConfig): string[] {
  return [...new Set([family.slug, poolFamilyOf(config, family).slug])];
}
