import type { VaultKind } from '../kind.ts';
import { decode } from './decode.ts';
import { discover } from './discover.ts';
import { exitTerms } from './exitTerms.ts';
import { readQueue } from './queue.ts';
import { recognizeErc7540 } from './recognize.ts';
import { state } from './state.ts';

/**
 * ERC-7540: deposits and redemptions are requested, settled, and claimed by their controllers. The contract reports the
 * owner at any time. The share token may be a separate contract, with several vaults over it.
 */
export const erc7540: VaultKind = {
  name: 'erc7540',
  recognize: recognizeErc7540,
  keys: ['vaults', 'routers', 'custody'],
  // The last rule concerns routers only.
  rules: ({ routers }) => (routers.length > 0 ? 9 : 8),
  price: 'converted',
  queue: 'calls',
  walletQueue: readQueue,
  hasClaims: true,
  paysAtOnce: false,
  discover,
  wantedLogs: ({ share, found }) => ({ addresses: [...new Set([...found.vaults, share])] }),
  decode,
  state,
  exitTerms,
};
