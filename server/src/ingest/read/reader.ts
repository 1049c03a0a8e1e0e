import type { LogFilter } from '../../chain/chainClient.ts';
import type { FeedReader } from '../feeds/feedReader.ts';
import type { FamilyReader } from './familyReader.ts';

/** What reads one source, in order of its logs. */
export type Reader = FamilyReader | FeedReader;

/** One filter for all readers of a group; one that wants every log of its contracts has it so for all. */
export function joinFilters(readers: readonly Reader[]): LogFilter {
  const filters = readers.map((reader) => reader.filter);
  const addresses = [...new Set(filters.flatMap((filter) => filter.addresses))];
  if (filters.some(({ topics }) => topics === undefined)) return { addresses };
  const topics = [...new Set(filters.flatMap((filter) => filter.topics?.[0] ?? []))];
  return { addresses, topics: [topics] };
}
