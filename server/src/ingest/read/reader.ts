import type { LogFilter } from '../../chain/chainClient.ts';
import type { Hex } from '../../domain/hex.ts';
import type { FeedReader } from '../feeds/feedReader.ts';
import type { FamilyReader } from './familyReader.ts';

/** Reads one source, in the order of its logs. */
export type Reader = FamilyReader | FeedReader;

/** One filter for all readers of a group, some of which need every log of their contracts. */
export interface JoinedFilter extends LogFilter {
  /** Addresses whose logs are needed regardless of their topics. */
  readonly whole: LogFilter['addresses'];
}

interface Joined {
  readonly readers: readonly Reader[];
  readonly filter: JoinedFilter;
}

/** The last one by its first reader: at the head the same hundreds of readers ask for every block. */
const joined = new WeakMap<Reader, Joined>();

export function joinFilters(readers: readonly Reader[]): JoinedFilter {
  const [first] = readers;
  if (first === undefined) return join([]);
  const known = joined.get(first);
  if (known !== undefined && isSame(known.readers, readers)) return known.filter;
  const filter = join(readers);
  joined.set(first, { readers: [...readers], filter });
  return filter;
}

function isSame(known: readonly Reader[], readers: readonly Reader[]): boolean {
  return known.length === readers.length && known.every((reader, i) => reader === readers[i]);
}

function join(readers: readonly Reader[]): JoinedFilter {
  const addresses = new Set<JoinedFilter['addresses'][number]>();
  const whole = new Set<JoinedFilter['addresses'][number]>();
  const topics = new Set<Hex>();
  for (const { filter } of readers) {
    for (const address of filter.addresses) addresses.add(address);
    if (filter.topics === undefined) for (const address of filter.addresses) whole.add(address);
    else for (const topic of filter.topics[0] ?? []) topics.add(topic);
  }
  return { addresses: [...addresses], topics: [[...topics]], whole: [...whole] };
}
