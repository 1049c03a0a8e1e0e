import type { VaultKind } from '../kind.ts';
import { POOL_DECLARED } from '../pools.ts';
import { DEPOSIT, TRANSFER, WITHDRAW } from '../vaultLogs.ts';
import { REDEEM_REQUEST, REQUEST_CANCELLED, SHARE_PRICE_UPDATED } from './abi.ts';
import { decode } from './decode.ts';
import { discover } from './discover.ts';
import { readQueue } from './queue.ts';
import { recogniseReceiverQueue } from './recognise.ts';
import { state } from './state.ts';

/** ERC-4626 plus redemptions queued per receiver, priced by an oracle, with pools from a registry. */
export const receiverQueue: VaultKind = {
  name: 'receiver-queue',
  recognise: recogniseReceiverQueue,
  keys: ['oracle', 'registry', 'routers', 'custody'],
  // Where a registry declares the pools, nothing that is kept has changed its meaning.
  rules: ({ registry }) => (registry === undefined ? 2 : undefined),
  price: 'published',
  queue: 'events',
  walletQueue: readQueue,
  hasClaims: false,
  discover,
  wantedLogs: ({ chain, found }) => ({
    // One contract may be oracle and registry at once; its logs are still to be read once.
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
};
