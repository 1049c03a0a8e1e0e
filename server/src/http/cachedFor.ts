/** Concurrent calls share one result for some seconds. A failure is not cached. */
export function cachedFor<T>(
  seconds: number,
  now: () => number,
  make: () => Promise<T>,
): () => Promise<T> {
  let cached: { readonly until: number; readonly made: Promise<T> } | undefined;
  return () => {
    if (cached !== undefined && now() < cached.until) return cached.made;
    const own = { until: now() + seconds, made: make() };
    cached = own;
    own.made.catch(() => {
      if (cached === own) cached = undefined;
    });
    return own.made;
  };
}

/** The same for each family: keys are limited to the configured slugs, so nothing grows. */
export function cachedByFamily<T>(
  slugs: readonly string[],
  { seconds, now }: { readonly seconds: number; readonly now: () => number },
  make: (slug: string) => Promise<T>,
): (slug: string) => Promise<T> | undefined {
  const reads = new Map(slugs.map((slug) => [slug, cachedFor(seconds, now, () => make(slug))]));
  return (slug) => reads.get(slug)?.();
}
