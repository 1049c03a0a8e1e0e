import { BATCH_TOO_LARGE, BEYOND_HEAD, HEADER_NOT_FOUND, ONE_EACH } from '../forms.ts';
import type { Form, Profile } from '../profile.ts';

const TOKEN_NEEDED: Form = {
  status: 403,
  code: -32602,
  message:
    'Archive requests require a personal token. Get one at: https://www.allnodes.com/publicnode',
};

export const PUBLICNODE: Profile = {
  rate: {
    perSecond: 50,
    burst: 50,
    forms: [
      {
        status: 200,
        code: -32005,
        message:
          'Rate limit exceeded. To obtain higher limits, please request a personal token or a dedicated node: https://www.allnodes.com/publicnode',
      },
    ],
  },
  costs: ONE_EACH,
  range: {
    max: 5_000,
    counts: 'blocks',
    form: { status: 200, code: -32000, message: 'exceed maximum block range: {max}' },
  },
  results: {
    max: 10_000,
    form: {
      status: 200,
      code: -32005,
      message: 'query returns too many logs, narrow your filter: {max}',
    },
  },
  batch: { max: 100, form: BATCH_TOO_LARGE },
  tooDeep: { state: TOKEN_NEEDED, logs: TOKEN_NEEDED },
  beyondHead: { state: HEADER_NOT_FOUND, logs: BEYOND_HEAD },
  nodes: [{ depth: { state: 128, logs: 128 }, lag: [0, 1], logTimestamps: 'time' }],
  faults: [
    {
      kind: 'reject',
      share: 0.01,
      form: {
        status: 200,
        code: -32701,
        message: 'no available nodes found for platform base-rpc',
      },
    },
  ],
};
