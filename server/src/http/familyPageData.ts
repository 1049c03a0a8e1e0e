import type { Config, FamilyConfig } from '../config/config.ts';
import type { Store } from '../store/store.ts';
import { type AnswerBytes, createAnswerBytes } from './answerBytes.ts';
import { cachedByFamily } from './cachedFor.ts';

/** Data that only a family's page needs; undefined for an unknown family. */
export type FamilyPageData = (slug: string) => Promise<AnswerBytes> | undefined;

export interface FamilyPageDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  readonly now: () => number;
}

/** Makes the data of each family at most once in so many seconds. */
export function createFamilyPageData(
  { config, now }: Pick<FamilyPageDeps, 'config' | 'now'>,
  seconds: number,
  make: (family: FamilyConfig) => Promise<object>,
): FamilyPageData {
  const families = new Map(config.families.map((family) => [family.slug, family]));
  return cachedByFamily([...families.keys()], { seconds, now }, async (slug) => {
    const body = JSON.stringify(await make(families.get(slug)!));
    return createAnswerBytes({ body, access: 'probe', maxAge: seconds });
  });
}
