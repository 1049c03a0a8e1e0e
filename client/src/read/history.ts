import type { GetHistoryParameters, HistoryItem, HistoryPage } from '../api/types.ts';
import type { CallOptions, WithAmounts } from './action.ts';
import { getHistory } from './actions.ts';
import type { Client } from './client.ts';

/** History parameters without the cursor, which the client handles. */
export type HistoryParameters = Omit<GetHistoryParameters, 'cursor'> & CallOptions;

/**
 * Yields pages of history, newest first, until the last one.
 *
 * @example
 * for await (const { items } of historyPages(client, { family: 'svcusd', period: '1d', limit: 100 })) {
 *   console.log(items.length);
 * }
 */
export async function* historyPages<const Asked extends HistoryParameters>(
  client: Client,
  asked: Asked,
): AsyncGenerator<WithAmounts<Asked, HistoryPage, HistoryPage<bigint>>, void, undefined> {
  let cursor: string | undefined;
  do {
    const page: HistoryPage | HistoryPage<bigint> = await getHistory(client, {
      ...(asked as HistoryParameters),
      ...(cursor !== undefined && { cursor }),
    });
    yield page as never;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Yields history items, newest first. Fetches pages as needed.
 *
 * @example
 * for await (const { type, assets } of historyItems(client, { family: 'svcusd', amounts: 'bigint' })) {
 *   console.log(type, assets);
 *   break;
 * }
 */
export async function* historyItems<const Asked extends HistoryParameters>(
  client: Client,
  asked: Asked,
): AsyncGenerator<WithAmounts<Asked, HistoryItem, HistoryItem<bigint>>, void, undefined> {
  for await (const page of historyPages(client, asked as HistoryParameters)) {
    for (const item of page.items) yield item as never;
  }
}
