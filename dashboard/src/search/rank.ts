/** A place that search can find. */
export interface Found {
  readonly kind: 'Families' | 'Pools' | 'Wallets' | 'Transactions' | 'Docs';
  readonly title: string;
  readonly note: string;
  readonly href: string;
  /** More text to find it by. */
  readonly text?: string;
}

/** Returns the entries that contain all words, best first, at most `max` of each kind. */
export function rank(entries: readonly Found[], query: string, max: number): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const counts = new Map<string, number>();
  return scored.flatMap(({ entry }) => {
    const count = (counts.get(entry.kind) ?? 0) + 1;
    counts.set(entry.kind, count);
    return count > max ? [] : [entry];
  });
}

/** The start of a title counts most, then the start of one of its words, its middle, and other text. 0: no match. */
function scoreOf({ title, note, text = '' }: Found, words: readonly string[]): number {
  const [head, rest] = [title.toLowerCase(), `${note} ${text}`.toLowerCase()];
  let sum = 0;
  for (const word of words) {
    const at = head.indexOf(word);
    if (at === 0) sum += 8;
    else if (at > 0) sum += /[\s\-/_.]/.test(head[at - 1]!) ? 5 : 3;
    else if (rest.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

export function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text.trim());
}

export function isTransactionHash(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text.trim());
}
