import type { HistoryItem } from '../api/types.ts';
import type { WithAmounts } from '../read/action.ts';
import { getEvents } from '../read/actions.ts';
import type { Client } from '../read/client.ts';
import { type HistoryParameters, historyItems } from '../read/history.ts';

/** The rows of before, and the cursor to continue from. */
export interface Snapshot<Item> {
  /** Pass it as `after` to `watchEvents` once `items` is read to its end. */
  readonly cursor: string;
  /** All history items, newest first. Some can be reported again after the cursor. */
  readonly items: AsyncGenerator<Item, void, undefined>;
}

/**
 * Returns all history items with a cursor: the start of a copy, and the way back when a cursor is gone. Store every
 * item by its `id`, then follow with `watchEvents` from the cursor.
 *
 * @example
 * const { cursor, items } = await readSnapshot(client, { family: 'svcusd', period: '1d' });
 * const rows = new Map();
 * for await (const item of items) rows.set(item.id, item);
 * console.log(rows.size, cursor);
 */
export async function readSnapshot<const Asked extends HistoryParameters>(
  client: Client,
  asked: Asked,
): Promise<Snapshot<WithAmounts<Asked, HistoryItem, HistoryItem<bigint>>>> {
  const { signal, timeoutMs, headers } = asked as HistoryParameters;
  // First the cursor: what is committed while the pages are read is then reported after it.
  const { cursor } = await getEvents(client, { after: 'latest', signal, timeoutMs, headers });
  return { cursor, items: historyItems(client, asked) };
}
