import { BEYOND_HEAD, HISTORY_PRUNED, ONE_EACH } from '../forms.ts';
import type { Profile } from '../profile.ts';

export const RETH_PRUNED: Profile = {
  rate: null,
  costs: ONE_EACH,
  range: {
    max: 100_000,
    counts: 'blocks',
    form: { status: 200, code: -32602, message: 'query exceeds max block range {max}' },
  },
  results: {
    max: 20_000,
    form: {
      status: 200,
      code: -32602,
      message: 'query exceeds max results {max}, retry with the range {from}-{fitting}',
    },
    uselessHintEvery: 10,
  },
  filter: {
    max: 1_000,
    counts: 'addresses',
    form: {
      status: 200,
      code: -32000,
      message: 'exceed max addresses or topics per search position',
    },
  },
  batch: null,
  tooDeep: {
    state: { status: 200, code: -32000, message: 'state at block #{block} is pruned' },
    logs: {
      ...HISTORY_PRUNED,
      message: `${HISTORY_PRUNED.message}: requested {block}, earliest available {earliest}`,
    },
  },
  beyondHead: {
    state: {
      status: 200,
      code: -32000,
      message:
        'state at block #{block} is not available, block has not been executed yet (latest executed: #{head})',
    },
    logs: { ...BEYOND_HEAD, message: `${BEYOND_HEAD.message}: requested {block}, head {head}` },
  },
  nodes: [{ depth: { state: 10_064, logs: 100_000 }, logTimestamps: 'time' }],
  faults: [{ kind: 'outage', share: 0.0002, seconds: 9, form: null }],
};
