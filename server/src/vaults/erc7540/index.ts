import type { VaultKind } from '../kind.ts';
import { decode } from './decode.ts';
import { discover } from './discover.ts';
import { readQueue } from './queue.ts';
import { recogniseErc7540 } from './recognise.ts';
import { state } from './state.ts';

/**
 * ERC-7540: deposits and redemptions are requested, settled and claimed by their controllers. Whose they are at any
 * time the contract says itself. The share token may be a contract of its own, with several vaults over it.
 */
export const erc7540: VaultKind = {
  name: 'erc7540',
  recognise: recogniseErc7540,
  keys: ['vaults', 'routers', 'custody'],
  rules: () => 3,
  price: 'converted',
  queue: 'calls',
  walletQueue: readQueue,
  hasClaims: true,
  discover,
  wantedLogs: ({ share, found }) => ({ addresses: [...new Set([...found.vaults, share])] }),
  decode,
  state,
};
