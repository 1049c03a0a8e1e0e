import { TOO_MANY_RESULTS } from '../forms.ts';
import type { Form, Profile } from '../profile.ts';

const ALL = Number.POSITIVE_INFINITY;
const UNKNOWN_BLOCK: Form = { status: 400, code: 26, message: 'Unknown block' };
const NO_ROUTE: Form = {
  status: 400,
  code: 12,
  message:
    "Can't route your request to suitable provider, if you specified certain providers revise the list",
};

/**
 * A balancer in front of three endpoints that differ: one archive, one that lags behind, one that lost its history. Codes
 * and texts are dRPC's, everything else is chosen.
 */
export const BALANCED_LOSSY: Profile = {
  // 100 calls of 20 units each.
  rate: {
    perSecond: 2_000,
    burst: 2_000,
    forms: [
      {
        status: 429,
        code: 15,
        message: 'You reached Public endpoint rate limit, please upgrade to paid plan',
      },
    ],
  },
  costs: { logs: 20, call: 20, header: 20, head: 20, chainId: 10, receipts: 20 },
  range: {
    max: 10_000,
    counts: 'blocks',
    deepest: 50_000,
    form: {
      status: 400,
      code: 35,
      message: 'ranges over {max} blocks are not supported on free plan',
    },
  },
  results: { max: 10_000, form: TOO_MANY_RESULTS },
  batch: {
    max: 3,
    perItem: true,
    form: {
      status: 200,
      code: 31,
      message: 'Batch of more than {max} requests are not allowed on free plan',
    },
  },
  tooDeep: {
    state: {
      status: 400,
      code: 27,
      message: 'Unknown state. First available state is {earliest}',
    },
    logs: NO_ROUTE,
  },
  beyondHead: { state: UNKNOWN_BLOCK, logs: UNKNOWN_BLOCK },
  nodes: [
    { depth: { state: ALL, logs: ALL }, finalizedLag: 40, logTimestamps: 'time' },
    { depth: { state: 128, logs: ALL }, lag: [20, 20], clipsRanges: true, finalizedLag: 40 },
    {
      depth: { state: 128, logs: 128 },
      emptyShare: 1 / 3,
      finalizedLag: 52,
      logTimestamps: 'zero',
    },
  ],
  faults: [
    { kind: 'reject', share: 0.005, form: NO_ROUTE },
    {
      kind: 'reject',
      share: 0.005,
      form: {
        status: 500,
        code: 19,
        message: 'Temporary internal error. Please retry, trace-id: {trace}',
      },
    },
    {
      kind: 'timeout',
      share: 0.5,
      seconds: 2,
      blocks: 2_000,
      form: {
        status: 408,
        code: 30,
        message: 'Request timeout on the free plan, please upgrade to paid plan',
      },
    },
  ],
};
