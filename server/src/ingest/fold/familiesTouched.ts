import type { EventsConfig } from '../../config/config.ts';
import type { Registered } from '../register.ts';
import type { FamilyToFold } from './foldTicks.ts';

interface Context {
  readonly allRegistered: readonly Registered[];
  readonly maxPriceAge: number;
  readonly events?: EventsConfig | undefined;
}

interface Candidate {
  readonly family: Omit<FamilyToFold, 'maxPriceAge' | 'announcesTicks'>;
  /** The chain's sources that move it. */
  readonly keys: readonly string[];
}

/** By list of registered sources, then by chain: each step of each chain needs them, of thousands of families. */
const candidates = new WeakMap<readonly Registered[], Map<number, readonly Candidate[]>>();

/**
 * Returns the families that a chain's progress can change: those read from it, and those with a price feed on it. With
 * `keys`, only those of these sources.
 */
export function familiesTouchedBy(
  chainId: number,
  { allRegistered, maxPriceAge, events }: Context,
  keys?: ReadonlySet<string>,
): FamilyToFold[] {
  const announcesTicks = events?.ticks ?? false;
  const touched: FamilyToFold[] = [];
  for (const { family, keys: own } of candidatesOf(chainId, allRegistered)) {
    if (keys !== undefined && !own.some((key) => keys.has(key))) continue;
    touched.push({ ...family, maxPriceAge, announcesTicks });
  }
  return touched;
}

function candidatesOf(chainId: number, allRegistered: readonly Registered[]): readonly Candidate[] {
  let byChain = candidates.get(allRegistered);
  if (byChain === undefined) {
    byChain = new Map();
    candidates.set(allRegistered, byChain);
  }
  let found = byChain.get(chainId);
  if (found === undefined) {
    found = findCandidates(chainId, allRegistered);
    byChain.set(chainId, found);
  }
  return found;
}

function findCandidates(chainId: number, allRegistered: readonly Registered[]): Candidate[] {
  const moving = new Set(
    allRegistered
      .filter(({ source }) => source.chainId === chainId)
      .map(({ source }) => source.key),
  );
  const found = new Map<number, Candidate>();
  for (const { source, familyId } of allRegistered) {
    if (source.kind !== 'family' || found.has(familyId!)) continue;
    const { slug, priceFeed: feed, chains } = source.family;
    const keys = [source.key, ...(feed === null ? [] : [`feed:${feed}`])].filter((key) =>
      moving.has(key),
    );
    if (keys.length === 0) continue;
    const settlement = chains.find(({ role }) => role === 'settlement');
    const family = {
      familyId: familyId!,
      slug,
      feed,
      priceChainId: settlement!.chainId,
      chainIds: chains.map((chain) => chain.chainId),
    };
    found.set(familyId!, { family, keys });
  }
  return [...found.values()];
}
