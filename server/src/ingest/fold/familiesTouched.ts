import type { EventsConfig } from '../../config/config.ts';
import type { Registered } from '../register.ts';
import type { FamilyToFold } from './foldTicks.ts';

interface Context {
  readonly allRegistered: readonly Registered[];
  readonly maxPriceAge: number;
  readonly events?: EventsConfig | undefined;
}

/**
 * The families that a chain's progress can move: those read from it, and those whose price feed is. With
 * `keys`, only those of these sources.
 */
export function familiesTouchedBy(
  chainId: number,
  { allRegistered, maxPriceAge, events }: Context,
  keys?: ReadonlySet<string>,
): FamilyToFold[] {
  const moving = new Set(
    allRegistered
      .filter(({ source }) => source.chainId === chainId && (keys?.has(source.key) ?? true))
      .map(({ source }) => source.key),
  );
  const touched = new Map<number, FamilyToFold>();
  for (const { source, familyId } of allRegistered) {
    if (source.kind !== 'family' || touched.has(familyId!)) continue;
    const feed = source.family.priceFeed;
    if (!moving.has(source.key) && (feed === null || !moving.has(`feed:${feed}`))) continue;
    const settlement = source.family.chains.find(({ role }) => role === 'settlement');
    touched.set(familyId!, {
      familyId: familyId!,
      slug: source.family.slug,
      feed,
      maxPriceAge,
      priceChainId: settlement!.chainId,
      chainIds: source.family.chains.map((chain) => chain.chainId),
      announcesTicks: events?.ticks ?? false,
    });
  }
  return [...touched.values()];
}
