import type { VaultKind } from '../kind.ts';
import { POOL_DECLARED } from '../pools.ts';
import { DEPOSIT, TRANSFER, WITHDRAW } from '../vaultLogs.ts';
import { REDEEM_REQUEST, REQUEST_CANCELLED, SHARE_PRICE_UPDATED } from './abi.ts';
import { decode } from './decode.ts';
import { discover } from './discover.ts';
import { exitTerms } from './exitTerms.ts';
import { readQueue } from './queue.ts';
import { recognizeReceiverQueue } from './recognize.ts';
import { state } from './state.ts';

/** ERC-4626 plus redemptions queued per receiver, priced by an oracle, with pools from a registry. */
export const receiverQueue: VaultKind = {
  name: 'receiver-queue',
  recognize: recognizeReceiverQueue,
  keys: ['oracle', 'registry', 'routers', 'custody'],
  // With a registry of pools, the stored rows keep their meaning.
  rules: ({ registry }) => (registry === undefined ? 3 : undefined),
  price: 'published',
  queue: 'events',
  walletQueue: readQueue,
  hasClaims: false,
  paysAtOnce: false,
  discover,
  wantedLogs: ({ chain, found }) => ({
    // One contract may be oracle and registry at once; its logs are read once.
    addresses: [...new Set([chain.address, found.oracle?.address, chain.registry])].filter(
      (address) => address !== undefined,
    ),
    topics: [
      DEPOSIT,
      WITHDRAW,
      TRANSFER,
      REDEEM_REQUEST,
      REQUEST_CANCELLED,
      SHARE_PRICE_UPDATED,
      POOL_DECLARED,
    ],
  }),
  decode,
  state,
  exitTerms,
};
