import { ARCHIVE, HEADER_NOT_FOUND, HISTORY_PRUNED, ONE_EACH } from '../forms.ts';
import type { Profile } from '../profile.ts';

export const ANKR_FREEMIUM: Profile = {
  rate: { perSecond: 30, burst: 1_800, forms: [{ status: 429 }] },
  costs: ONE_EACH,
  range: {
    max: 3_000,
    counts: 'blocks',
    form: { status: 200, code: -32600, message: 'block range is too wide' },
  },
  results: {
    max: 200_000,
    form: {
      status: 200,
      code: -32005,
      message: 'Too many logs requested. Max logs per response is {max}.',
    },
  },
  batch: {
    max: 100,
    form: {
      status: 200,
      code: -32600,
      message:
        'batch limit {max} exceeded (can increase by --rpc.batch.limit). Requested batch of size: {size}',
    },
  },
  tooDeep: {
    state: {
      status: 200,
      code: -32000,
      message:
        'old data not available due to pruning: requested block {block}, history is available from block {earliest}',
    },
    logs: HISTORY_PRUNED,
  },
  beyondHead: {
    state: HEADER_NOT_FOUND,
    logs: { status: 200, code: -32000, message: 'requested block range is in the future' },
  },
  nodes: [{ depth: ARCHIVE }],
  faults: [{ kind: 'slow', share: 0.01, seconds: 5 }],
};
