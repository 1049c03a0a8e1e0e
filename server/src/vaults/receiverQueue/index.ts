import type { Adapter } from '../kind.ts';
import { POOL_DECLARED } from '../pools.ts';
import { DEPOSIT, TRANSFER, WITHDRAW } from '../vaultLogs.ts';
import { REDEEM_REQUEST, REQUEST_CANCELLED, SHARE_PRICE_UPDATED } from './abi.ts';
import { decode } from './decode.ts';
import { read } from './read.ts';

/** ERC-4626 plus redemptions queued per receiver, priced by an oracle, with pools from a registry. */
export const receiverQueue: Adapter = {
  priceRule: 'published',
  wantedLogs: ({ family, chain }) => ({
    // One contract may be oracle and registry at once; its logs are still to be read once.
    addresses: [...new Set([family.address, chain.oracle, chain.registry])].filter(
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
  read,
};
