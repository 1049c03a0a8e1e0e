import {
  ARCHIVE,
  BATCH_TOO_LARGE,
  BEYOND_HEAD,
  HEADER_NOT_FOUND,
  MISSING_TRIE_NODE,
  ONE_EACH,
} from '../forms.ts';
import type { Profile } from '../profile.ts';

export const CHAINSTACK_FREE: Profile = {
  rate: {
    perSecond: 25,
    burst: 250,
    forms: [{ status: 429, code: -32005, message: 'rate limit exceeded', retryAfter: 1 }],
  },
  costs: { ...ONE_EACH, deep: { blocks: 128, factor: 2 } },
  range: {
    max: 100,
    counts: 'blocks',
    form: {
      status: 200,
      code: -32602,
      message:
        'Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits.',
    },
  },
  results: {
    max: 10_000,
    form: {
      status: 200,
      code: -32000,
      message: 'logs matched by query exceeds limit of {max}',
    },
  },
  batch: { max: 100, form: BATCH_TOO_LARGE },
  tooDeep: {
    state: MISSING_TRIE_NODE,
    logs: {
      status: 200,
      code: -32000,
      message: 'Access to archival, debug, or trace data is not included in your current plan',
    },
  },
  beyondHead: { state: HEADER_NOT_FOUND, logs: BEYOND_HEAD },
  nodes: [{ depth: { ...ARCHIVE, state: 128 } }],
  faults: [],
  variants: { 'random-429': { share: 0.4 } },
};
