import { createSemaphore } from '../runtime/semaphore.ts';

/**
 * Concurrent calls share one result, also for some seconds after it was made: a result that takes longer to make than it
 * is kept is not made twice at once. A failure is not cached.
 */
export function cachedFor<T>(
  seconds: number,
  now: () => number,
  make: () => Promise<T>,
): () => Promise<T> {
  let cached: { readonly made: Promise<T>; until: number } | undefined;
  return () => {
    if (cached !== undefined && now() < cached.until) return cached.made;
    const own = { made: make(), until: Number.POSITIVE_INFINITY };
    cached = own;
    own.made.then(
      () => {
        own.until = now() + seconds;
      },
      () => {
        cached = undefined;
      },
    );
    return own.made;
  };
}

/** For each family one result, made one after another: requests of other clients come first. */
export function cachedByFamily<T>(
  slugs: readonly string[],
  { seconds, now }: { readonly seconds: number; readonly now: () => number },
  make: (slug: string) => Promise<T>,
): (slug: string) => Promise<T> | undefined {
  const oneByOne = createSemaphore({ atOnce: 1 });
  // Keys are limited to the configured slugs, so nothing grows.
  const reads = new Map(
    slugs.map((slug) => [slug, cachedFor(seconds, now, () => oneByOne.run(() => make(slug)))]),
  );
  return (slug) => reads.get(slug)?.();
}
