type Query = Readonly<Record<string, string | number | undefined>>;

/** Returns path and query of a dashboard page, without undefined parameters. */
export function pageOf(path: readonly string[], query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, `${value}`);
  }
  const text = given.toString();
  return `/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

export function familyPage(slug: string, query?: Query): string {
  return pageOf(['family', slug], query);
}

export function walletPage(address: string, query?: Query): string {
  return pageOf(['wallet', address], query);
}

export function riskPage(query: Query): string {
  return pageOf(['risk'], query);
}
