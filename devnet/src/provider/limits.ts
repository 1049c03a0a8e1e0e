import type { Call, LogFilter } from './call.ts';
import { toQuantity } from './call.ts';
import type { Form, Profile } from './profile.ts';
import type { LocatedCall, View } from './view.ts';

/** A rejection with the values for its text. */
export interface Rejection {
  readonly form: Form;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Returns the rejection of a call that exceeds a limit of the plan, null for a call within all of them. */
export function findRejection(
  located: LocatedCall,
  view: View,
  profile: Profile,
): Rejection | null {
  switch (located.reads) {
    case 'logs':
      return findLogsRejection(located, view, profile);
    case 'state':
      return findDepthRejection(located, view, profile, 'state');
    case 'header':
      // A block that is not there is null, not an error.
      return null;
  }
}

function findLogsRejection(located: LocatedCall, view: View, profile: Profile): Rejection | null {
  const { call, from, to } = located;
  const { filter, range } = profile;
  if (filter !== undefined) {
    const filters = countFilters(call, filter.counts);
    if (filters > filter.max) {
      return { form: filter.form, values: { filters, max: filter.max } };
    }
  }
  const width = range.counts === 'blocks' ? to - from + 1 : to - from;
  if (width > range.max || view.head - from > (range.deepest ?? Number.POSITIVE_INFINITY)) {
    const fitting = range.counts === 'blocks' ? from + range.max - 1 : from + range.max;
    return {
      form: range.form,
      values: {
        ...{ from, to, width, fitting, max: range.max },
        ...{ hexFrom: toQuantity(from), hexFitting: toQuantity(fitting) },
      },
    };
  }
  return findDepthRejection(located, view, profile, 'logs');
}

function findDepthRejection(
  { from, to }: LocatedCall,
  { head, depth, node }: View,
  { beyondHead, tooDeep }: Profile,
  kind: 'state' | 'logs',
): Rejection | null {
  if (to > head && !(kind === 'logs' && node.clipsRanges)) {
    return { form: beyondHead[kind], values: { block: to, head } };
  }
  const earliest = head - depth[kind];
  if (from >= earliest) return null;
  const hash = from.toString(16).padStart(64, '0');
  return { form: tooDeep[kind], values: { block: from, head, earliest, hash } };
}

function countFilters({ params }: Call, counts: 'addresses' | 'parameters'): number {
  const { address, topics = [] } = (params[0] ?? {}) as LogFilter;
  const addresses = address === undefined ? 0 : [address].flat().length;
  if (counts === 'addresses') return addresses;
  return addresses + topics.flat().filter((topic) => topic !== null).length;
}
