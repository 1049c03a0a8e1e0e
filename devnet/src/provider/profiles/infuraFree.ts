import {
  ARCHIVE,
  BATCH_TOO_LARGE,
  BEYOND_HEAD,
  HEADER_NOT_FOUND,
  HISTORY_PRUNED,
  MISSING_TRIE_NODE,
  TOO_MANY_RESULTS,
} from '../forms.ts';
import type { Profile } from '../profile.ts';

export const INFURA_FREE: Profile = {
  rate: {
    perSecond: 500,
    burst: 500,
    forms: [{ status: 429, code: 429, message: 'Too Many Requests' }],
  },
  costs: { logs: 255, call: 80, header: 80, head: 80, chainId: 5, receipts: 1_000, rejected: 5 },
  quota: {
    units: 3_000_000,
    per: 'day',
    form: { status: 402, code: 402, message: 'Payment Required' },
  },
  range: {
    max: 10_000,
    counts: 'difference',
    form: { status: 200, code: -32602, message: 'range {width} exceeds limit of {max}' },
  },
  results: { max: 10_000, form: TOO_MANY_RESULTS },
  filter: {
    max: 5_000,
    counts: 'parameters',
    form: {
      status: 200,
      code: -32602,
      message: 'This query contains {filters} filters. The current limit is {max}.',
    },
  },
  batch: { max: 100, form: BATCH_TOO_LARGE },
  tooDeep: { state: MISSING_TRIE_NODE, logs: HISTORY_PRUNED },
  beyondHead: { state: HEADER_NOT_FOUND, logs: BEYOND_HEAD },
  nodes: [{ depth: ARCHIVE, logTimestamps: 'time' }],
  faults: [
    {
      kind: 'timeout',
      share: 0.2,
      seconds: 10,
      results: 5_000,
      form: { status: 200, code: -32005, message: 'query timeout exceeded' },
    },
  ],
};
