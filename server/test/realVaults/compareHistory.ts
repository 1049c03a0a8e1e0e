import { lower } from '../../src/domain/hex.ts';
import type { Book, HistoryEntry } from './book.ts';
import type { Family } from './scenario.ts';
import type { Served } from './serve.ts';

export interface HistoryItem {
  readonly type: HistoryEntry['type'];
  readonly chainId: number;
  readonly vaultAddress: string;
  readonly user: string;
  readonly assets: string | null;
  readonly shares: string;
  readonly transactionHash: string;
  readonly blockTimestamp: number;
}

/** Reads all pages of a family's history, newest first. */
export async function readHistory(served: Served, slug: string): Promise<HistoryItem[]> {
  const items: HistoryItem[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: HistoryItem[]; nextCursor: string | null } = await served.get(
      // The pages are small, so that the comparison also covers the cursors.
      `/v1/history?family=${slug}&limit=37${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

/** Compares the served history with what the scenario did. */
export async function compareHistory(
  served: Served,
  family: Family,
  book: Book,
): Promise<string[]> {
  const items = await readHistory(served, family.slug);
  const found: string[] = [];
  for (const [i, item] of items.entries()) {
    const next = items[i + 1];
    if (next && next.blockTimestamp > item.blockTimestamp) {
      found.push(`history: ${next.transactionHash} stands after an older one`);
    }
  }
  const left = [...items];
  for (const entry of book.history.filter((one) => one.family === family.slug)) {
    const same = left.findIndex((item) => fits(item, entry));
    if (same >= 0) left.splice(same, 1);
    else found.push(`history: missing ${describe(entry)}`);
  }
  for (const item of left) {
    found.push(
      `history: served but never done: ${item.type} of ${item.user}, ${item.assets} for ${item.shares} shares at ${item.vaultAddress} on ${item.chainId} in ${item.transactionHash}`,
    );
  }
  return found;
}

function fits(item: HistoryItem, entry: HistoryEntry): boolean {
  const slack = entry.slack ?? 0n;
  const off = item.assets === null ? null : BigInt(item.assets) - entry.assets;
  return (
    item.type === entry.type &&
    item.chainId === entry.chainId &&
    lower(item.vaultAddress) === entry.vault &&
    lower(item.user) === entry.user &&
    off !== null &&
    off <= slack &&
    -off <= slack &&
    BigInt(item.shares) === entry.shares &&
    item.transactionHash === entry.tx &&
    item.blockTimestamp === entry.time
  );
}

function describe({ type, user, assets, shares, vault, chainId, tx }: HistoryEntry): string {
  return `${type} of ${user}, ${assets} for ${shares} shares at ${vault} on ${chainId} in ${tx}`;
}
