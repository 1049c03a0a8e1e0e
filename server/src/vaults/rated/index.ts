import type { VaultKind } from '../kind.ts';
import { decode } from './decode.ts';
import { describedOf } from './described.ts';
import { discover } from './discover.ts';
import { exitTerms } from './exitTerms.ts';
import { readHolding } from './holding.ts';
import { rateCalls, rateIn } from './rate.ts';
import { state } from './state.ts';

/**
 * A share token with a rate, described in the file: the event that moves shares, the source of the rate, and the events
 * of deposits and redemption requests.
 */
export const rated: VaultKind = {
  name: 'rated',
  recognize: async () => null,
  keys: ['share', 'routers', 'custody', 'rated'],
  // The last rule concerns routers only.
  rules: ({ routers }) => (routers.length > 0 ? 6 : 5),
  price: 'converted',
  holding: readHolding,
  *ratio(vault, time) {
    const read = rateIn(vault, yield rateCalls(vault), time);
    return 'unread' in read ? null : read.ratio;
  },
  queue: 'requests',
  walletQueue: null,
  hasClaims: false,
  paysAtOnce: false,
  discover,
  wantedLogs(vault) {
    const { share, ledger, flows } = describedOf(vault);
    const burns = ledger.burn === null ? [] : [ledger.burn.topic];
    return {
      addresses: [...new Set([share, ...flows.map(({ contract }) => contract)])],
      topics: [...new Set([ledger.topic, ...burns, ...flows.map(({ topic }) => topic)])],
    };
  },
  decode,
  state,
  exitTerms,
};
