/** Returns requests for all routes, repeated by weight: series and snapshots most often, live reads least. */
export function mixOfRoutes(options: {
  readonly slugs: readonly string[];
  readonly wallets: readonly string[];
  /** Wallets of the demo, which exist on the chains. */
  readonly liveWallets: readonly string[];
}): string[] {
  const { slugs, wallets, liveWallets } = options;
  const families = slugs.flatMap((slug) => [
    ...repeated(8, `/v1/vaults/${slug}`),
    ...['apy', 'tvl', 'share-price'].flatMap((series) => [
      ...repeated(4, `/v1/vaults/${slug}/timeseries/${series}`),
      `/v1/vaults/${slug}/timeseries/${series}?interval=hour&limit=500`,
      `/v1/vaults/${slug}/timeseries/${series}?interval=raw&limit=1000`,
    ]),
    ...repeated(3, `/v1/history?family=${slug}`),
    `/v1/history?family=${slug}&type=large-deposit`,
    `/v1/history?family=${slug}&type=cancel&period=30d`,
  ]);
  const people = wallets.flatMap((wallet) => [
    `/v1/history?user=${wallet}`,
    `/v1/history?user=${wallet}&type=deposit&limit=100`,
    `/v1/performance/${wallet}`,
  ]);
  const live = liveWallets.map((wallet) => `/v1/users/${wallet}/pending-redeems`);
  const others = ['/v1/vaults', '/v1/history', '/v1/status', '/health/live', '/openapi.json'];
  return [...repeated(4, ...families), ...people, ...live, ...repeated(4, ...others)];
}

function repeated(times: number, ...items: readonly string[]): string[] {
  return Array.from({ length: times }, () => items).flat();
}
