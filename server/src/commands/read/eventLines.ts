import type { FeedEvent } from '@assay/client';
import { renderCsv } from '../../terminal/csv.ts';
import { UNKNOWN } from '../../terminal/formatNumber.ts';
import type { Screen } from '../../terminal/screen.ts';
import { cut, pad, plain } from '../../terminal/text.ts';
import { timeText } from '../../terminal/times.ts';
import type { NameOfChain } from './chainNames.ts';

/** Fixed widths, because the rows of later pages are not known yet. */
const TITLES = line('TIME (UTC)', 'STATE', 'TYPE', 'FAMILY', 'CHAIN', 'WHAT');

/** Returns a line of titles for `eventLines`. */
export function eventTitles(screen: Screen): string {
  return screen.style.bold(fitted(TITLES, screen));
}

/** Formats events for people, one per line. */
export function eventLines(
  events: readonly FeedEvent[],
  nameOf: NameOfChain,
  screen: Screen,
): string[] {
  return events.map((event) => {
    const { blockTimestamp, state, type, family, chainId } = event;
    const chain = chainId === null ? UNKNOWN : nameOf(chainId);
    const time = timeText(blockTimestamp);
    return fitted(line(time, state, type, family ?? UNKNOWN, chain, whatOf(event)), screen);
  });
}

/** Formats events for programs; the first line has the names of the columns. */
export function eventCsv(events: readonly FeedEvent[]): readonly string[] {
  return renderCsv<FeedEvent>(
    [
      { name: 'at', value: ({ blockTimestamp }) => new Date(blockTimestamp * 1000).toISOString() },
      { name: 'state', value: ({ state }) => state },
      { name: 'type', value: ({ type }) => type },
      { name: 'id', value: ({ id }) => id },
      { name: 'family', value: ({ family }) => family },
      { name: 'chainId', value: ({ chainId }) => chainId },
      { name: 'blockNumber', value: ({ blockNumber }) => blockNumber },
      { name: 'data', value: ({ data }) => JSON.stringify(data) },
      { name: 'cursor', value: ({ cursor }) => cursor },
    ],
    events,
  );
}

/** The row in a few words: all values of a type that has no better form. */
function whatOf({ type, data }: FeedEvent): string {
  const row = data as Readonly<Record<string, unknown>>;
  if (type === 'history') return `${row.type} by ${row.user}`;
  return Object.entries(row)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function line(...[time, state, type, family, chain, what]: string[]): string {
  const cell = (text: string | undefined, width: number) =>
    pad(cut(plain(text!), width), width, 'left');
  return [
    cell(time, 16),
    cell(state, 9),
    cell(type, 12),
    cell(family, 12),
    cell(chain, 9),
    plain(what!),
  ].join('  ');
}

function fitted(text: string, { columns }: Screen): string {
  return (columns === null ? text : cut(text, columns)).trimEnd();
}
