import type { GetHistoryParameters, HistoryItem, HistoryPage } from '../api/types.ts';
import type { CallOptions, WithAmounts } from './action.ts';
import { getHistory } from './actions.ts';
import type { Client } from './client.ts';

/** What to walk through; the cursor is the client's business. */
export type HistoryAsked = Omit<GetHistoryParameters, 'cursor'> & CallOptions;

/** Page after page, newest first, until the last. */
export async function* historyPages<const Asked extends HistoryAsked>(
  client: Client,
  asked: Asked,
): AsyncGenerator<WithAmounts<Asked, HistoryPage, HistoryPage<bigint>>, void, undefined> {
  let cursor: string | undefined;
  do {
    const page: HistoryPage | HistoryPage<bigint> = await getHistory(client, {
      ...(asked as HistoryAsked),
      ...(cursor !== undefined && { cursor }),
    });
    yield page as never;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Item after item, newest first; pages are fetched as they are needed. */
export async function* historyItems<const Asked extends HistoryAsked>(
  client: Client,
  asked: Asked,
): AsyncGenerator<WithAmounts<Asked, HistoryItem, HistoryItem<bigint>>, void, undefined> {
  for await (const page of historyPages(client, asked as HistoryAsked)) {
    for (const item of page.items) yield item as never;
  }
}
