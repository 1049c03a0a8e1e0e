import {
  type EventFeed,
  type EventPosition,
  EventsGone,
  type FeedEvent,
} from '../domain/events/event.ts';
import { column, nullable } from '../store/exports/columns.ts';
import type { ExportPage, ExportTable, PageQuery } from '../store/exports/exportTable.ts';
import { textToCell } from './cells.ts';

export const exportEvents: ExportTable = {
  name: 'events',
  description: 'The feed of `/v1/events` in its order, with retractions',
  columns: [
    column('cursor', 'name', 'Position of the event'),
    column('type', 'name', 'What the event is about'),
    column('state', 'name', 'applied, retracted, final'),
    column('id', 'text', 'Identifies the row'),
    nullable('family', 'name', 'Slug of the vault family; null for a chain or a grade'),
    nullable('chain_id', 'integer', 'Chain; null for a tick or a grade'),
    nullable('block_number', 'integer', 'Block; null without a chain'),
    nullable('log_index', 'integer', 'Index of the log in its block; null without a log'),
    column('block_time', 'integer', 'Time of the block, or of the change, Unix seconds'),
    column('data', 'text', 'The row, as JSON'),
  ],
  keyLength: 1,
  hasBlocks: false,
  isLog: true,
};

/** How events and their positions are shown; see http/events. */
export interface EventForm {
  cursorOf(position: EventPosition): string;
  positionOf(cursor: string): EventPosition | undefined;
  present(event: FeedEvent, cursor: string): object;
}

export interface EventSource {
  readonly feed: EventFeed;
  readonly form: EventForm;
}

interface Shown {
  readonly type: string;
  readonly state: string;
  readonly id: string;
  readonly family: string | null;
  readonly chainId: number | null;
  readonly blockNumber: number | null;
  readonly logIndex: number | null;
  readonly blockTimestamp: number;
  readonly data: unknown;
}

/** Reads a page of the feed in the form of a table. */
export async function readEventPage(
  { feed, form }: EventSource,
  { slug, after: [cursor], limit, range }: PageQuery,
): Promise<ExportPage> {
  const after = cursor === undefined ? undefined : form.positionOf(cursor);
  if (cursor !== undefined && after === undefined) throw new EventsGone();
  const filter = { family: slug === '' ? undefined : slug, chainId: range.chainId };
  const { events } = await feed.read(after, filter, limit);
  const lines = events.map((event) => {
    const at = form.cursorOf(event.position);
    const shown = form.present(event, at) as Shown;
    const { type, state, id, family, chainId, blockNumber, logIndex, blockTimestamp } = shown;
    const data = textToCell(JSON.stringify(shown.data));
    return [
      ...[at, type, state, textToCell(id), family ?? ''],
      ...[chainId ?? '', blockNumber ?? '', logIndex ?? '', blockTimestamp, data],
    ].join(',');
  });
  return { rows: events.length, lines: lines.join('\n') };
}
