import type { LogFilter } from '../../chain/chainClient.ts';
import type { FeedReader } from '../feeds/feedReader.ts';
import type { FamilyReader } from './familyReader.ts';

/** What reads one source, in order of its logs. */
export type Reader = FamilyReader | FeedReader;

/** One filter for all readers of a group, in which some may want every log of their contracts. */
export interface JoinedFilter extends LogFilter {
  /** Of the addresses, those whose logs are wanted whatever their topics. */
  readonly whole: LogFilter['addresses'];
}

export function joinFilters(readers: readonly Reader[]): JoinedFilter {
  const filters = readers.map((reader) => reader.filter);
  const addressesOf = (list: readonly LogFilter[]) => [
    ...new Set(list.flatMap(({ addresses }) => addresses)),
  ];
  const whole = addressesOf(filters.filter(({ topics }) => topics === undefined));
  const topics = [...new Set(filters.flatMap((filter) => filter.topics?.[0] ?? []))];
  return { addresses: addressesOf(filters), topics: [topics], whole };
}
