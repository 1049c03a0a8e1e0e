import { ARCHIVE, BATCH_TOO_LARGE, HISTORY_PRUNED, MISSING_TRIE_NODE } from '../forms.ts';
import type { Profile } from '../profile.ts';

export const ALCHEMY_FREE: Profile = {
  rate: {
    perSecond: 500,
    burst: 5_000,
    forms: [
      {
        status: 429,
        code: 429,
        message:
          'Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.',
        retryAfter: 0.5,
      },
    ],
  },
  costs: { logs: 60, call: 26, header: 20, head: 10, chainId: 0, receipts: 500 },
  quota: {
    units: 30_000_000,
    per: 'month',
    form: { status: 403, code: -32600, message: 'Monthly capacity limit exceeded.' },
  },
  range: {
    max: 10,
    counts: 'blocks',
    form: {
      status: 400,
      code: -32600,
      message:
        'Under the Free tier plan, you can make eth_getLogs requests with up to a {max} block range. Based on your parameters, this block range should work: [{hexFrom}, {hexFitting}]. Upgrade to PAYG for expanded block range.',
    },
  },
  results: null,
  batch: { max: 1_000, form: BATCH_TOO_LARGE },
  tooDeep: { state: MISSING_TRIE_NODE, logs: HISTORY_PRUNED },
  beyondHead: {
    state: {
      status: 200,
      code: -32603,
      message: 'Block {block} not processed yet. Please try again.',
    },
    logs: {
      status: 200,
      code: -32603,
      message: 'Block {block} not processed yet. Please try again.',
    },
  },
  nodes: [{ depth: ARCHIVE, logTimestamps: 'time' }],
  faults: [{ kind: 'reject', share: 0.01, form: { status: 503 } }],
};
