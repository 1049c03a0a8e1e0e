import { ARCHIVE, BEYOND_HEAD, HISTORY_PRUNED, MISSING_TRIE_NODE, ONE_EACH } from '../forms.ts';
import type { Profile } from '../profile.ts';

export const BASE_PUBLIC: Profile = {
  rate: {
    perSecond: 25,
    burst: 5,
    penaltySeconds: 30,
    forms: [
      { status: 429, code: -32016, message: 'over rate limit' },
      { status: 200, code: -32007, message: '25/second request limit reached' },
      { status: 429, code: -32011, message: 'request limit reached' },
    ],
  },
  costs: ONE_EACH,
  range: {
    max: 2_000,
    counts: 'difference',
    form: { status: 413, code: -32614, message: 'eth_getLogs is limited to a {max,} range' },
  },
  results: {
    max: 10_000,
    form: { status: 500, code: -32020, message: 'backend response too large' },
  },
  batch: {
    max: 10,
    form: { status: 413, code: -32014, message: 'too many RPC calls in batch request' },
  },
  tooDeep: { state: MISSING_TRIE_NODE, logs: HISTORY_PRUNED },
  beyondHead: {
    state: {
      status: 200,
      code: -32001,
      message: 'request beyond head block: requested {block}, head {head}',
    },
    logs: { ...BEYOND_HEAD, message: `${BEYOND_HEAD.message}: requested {block}, head {head}` },
  },
  nodes: [{ depth: ARCHIVE, logTimestamps: 'time' }],
  faults: [
    {
      kind: 'outage',
      share: 0.0005,
      seconds: 120,
      form: {
        status: 503,
        code: -32011,
        message: 'no backend is currently healthy to serve traffic',
      },
    },
    {
      kind: 'reject',
      share: 0.005,
      form: { status: 200, html: '<html><body>error code: 1015</body></html>' },
    },
  ],
  variants: { 'no-logs': { share: 1, methods: ['eth_getLogs'] } },
};
