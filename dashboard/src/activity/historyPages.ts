import type { HistoryItem, HistoryPage, IncompleteChain } from '@assay/client';

/** The pages of a history read so far. */
export interface Read {
  readonly items: readonly HistoryItem<bigint>[];
  readonly incomplete: readonly IncompleteChain[];
  /** Undefined before the first page, null after the last. */
  readonly cursor: string | null | undefined;
  readonly error: unknown;
}

/** Merges the newest page with the pages read so far. Starts over if they do not overlap. */
export function renewed(before: Read, page: HistoryPage<bigint>): Read {
  const { items, incompleteChains: incomplete, nextCursor } = page;
  const last = items.at(-1);
  const met =
    last === undefined ? -1 : before.items.findLastIndex((one) => keyOf(one) === keyOf(last));
  if (nextCursor === null || met === -1) {
    return { items, incomplete, cursor: nextCursor, error: undefined };
  }
  return { ...before, items: [...items, ...before.items.slice(met + 1)], incomplete };
}

export function keyOf(item: HistoryItem<bigint>): string {
  const { chainId, transactionHash, type, vaultAddress, shares, assets } = item;
  return `${chainId} ${transactionHash} ${type} ${vaultAddress} ${shares} ${assets}`;
}
