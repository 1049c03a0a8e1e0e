import { Type } from 'typebox';
import { oneChain, optional } from '../routeParameters.ts';
import {
  Amount,
  AskedWhole,
  Hash,
  List,
  Nullable,
  Shape,
  Text,
  UnixTime,
  Usd,
} from '../schemas.ts';
import { HISTORY_LIMIT, incompleteChain } from './historySchema.ts';
import { EFFECT, MOVED, TRANSACTION } from './ledger.ts';
import { nextCursor } from './nextCursor.ts';
import { walletParameters } from './walletParameters.ts';

const item = Shape(
  {
    id: Text(
      'Identifies the movement within its family: `chainId-blockNumber-logIndex-part`.',
      '8453-41412050-12-0',
    ),
    ...MOVED,
    assets: Nullable(
      Amount('In the base asset.'),
      'Assets paid in, paid out, or the value of received shares, in base units of the base asset. Null for sent shares, for which nothing was paid.',
    ),
    ...EFFECT,
    usd: Nullable(
      Usd('Value of `assets` at the price of that time.'),
      'Value of `assets` in US dollars at the price of that time; null without `assets`, or if no price was available then.',
    ),
    transactionHash: Nullable(Hash('The transaction.'), TRANSACTION),
    blockTimestamp: UnixTime('Time of its block.'),
    blockNumber: Type.Integer({ minimum: 0, description: 'The block in which it happened.' }),
    logIndex: Type.Integer({ minimum: 0, description: 'Index of its log in that block.' }),
  },
  'One movement of shares.',
);

export const movementsPage = Shape(
  {
    items: List(item, 'Newest first, by block time, chain id, block number, log index, and part.'),
    nextCursor,
    incompleteChains: List(
      incompleteChain,
      'Every chain of the requested families, in any role, that could not be read completely. Indexed items of it are still returned.',
    ),
  },
  "One page of a wallet's movements.",
);

export const movementsExample = {
  items: [
    {
      id: '8453-41412050-12-0',
      family: 'svcusd',
      chainId: 8453,
      type: 'exit',
      shares: '1000000',
      assets: '1045000',
      baseAssetDecimals: 6,
      cost: '-1000000',
      result: '45000',
      usd: 1.045,
      transactionHash: `0x${'ab'.repeat(32)}`,
      blockTimestamp: 1_769_860_800,
      blockNumber: 41_412_050,
      logIndex: 12,
    },
  ],
  nextCursor: 'm5sUYcOQv1yYt1Jq0yqTnDE3Njk4NjA4MDAsODQ1Myw0MTQxMjA1MCwxMiwtMQ',
  incompleteChains: [{ family: 'svcusd', chainId: 42_161, reason: 'unconfigured' as const }],
};

export const movementsParameters = [
  ...walletParameters,
  oneChain(
    'Only this chain; cost and result still follow from all chains. A chain without families returns an empty page.',
  ),
  optional(
    'cursor',
    Type.String(),
    'nextCursor of the previous page, unchanged and with the same filters; only limit may differ.',
    movementsExample.nextCursor,
  ),
  optional('limit', AskedWhole(HISTORY_LIMIT), 'Maximum number of items on the page.', '20'),
];
