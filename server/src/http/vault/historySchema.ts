import { Type } from 'typebox';
import type { RouteParameter } from '../route.ts';
import { oneChain, oneFamily, optional } from '../routeParameters.ts';
import {
  Address,
  Amount,
  AskedAddress,
  AskedWhole,
  ChainId,
  Hash,
  List,
  Nullable,
  OneOf,
  Shape,
  Slug,
  Text,
  UnixTime,
} from '../schemas.ts';

export const TYPES = ['deposit', 'withdraw', 'redeem', 'cancel', 'large-deposit'] as const;
export const PERIODS = ['1d', '7d', '30d'] as const;
export const HISTORY_LIMIT = { min: 1, max: 500, default: 20 } as const;

const item = Shape(
  {
    type: OneOf(
      ['deposit', 'withdraw', 'redeem', 'cancel'],
      'deposit; withdraw: assets paid out, at once or when a queued request is fulfilled; redeem: a queued redemption request; cancel: a queued request cancelled. An instant exit is one item.',
    ),
    chainId: ChainId('Where it happened.'),
    vaultAddress: Address("The family's vault on that chain."),
    user: Address('The wallet: the owner of a deposit, the receiver of an exit.'),
    assets: Nullable(
      Amount('Of the base asset.'),
      'Of the base asset, in base units. Null for a redemption request that names shares only, before the first share price of its vault.',
    ),
    shares: Amount('Of the share.'),
    transactionHash: Hash('The transaction in which it happened.'),
    blockTimestamp: UnixTime('Time of its block.'),
  },
  'One thing that a wallet did.',
);

const incompleteChain = Shape(
  {
    family: Slug('The vault family.'),
    chainId: ChainId('The chain of which items may be missing.'),
    reason: OneOf(
      ['unconfigured', 'unreachable', 'syncing'],
      'unconfigured: the server has no RPC URL for it; unreachable: its RPC does not answer, the chain stands still, or nobody indexes it now; syncing: it is not read up to its head yet.',
    ),
  },
  'A chain that could not be read in full.',
);

export const historyPage = Shape(
  {
    items: List(item, 'Newest first, by block time, chain id, block number and log index.'),
    nextCursor: Nullable(
      Text('A cursor.'),
      'Opaque; pass it back unchanged as cursor for the next page. Null when this page is the last.',
    ),
    incompleteChains: List(
      incompleteChain,
      'Every chain of the families asked for, whatever its role, that could not be read in full. Items already known of it are still served.',
    ),
  },
  'One page of history.',
);

export const historyExample = {
  items: [
    {
      type: 'deposit',
      chainId: 8453,
      vaultAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      user: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      assets: '250000000',
      shares: '239186380',
      transactionHash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
      blockTimestamp: 1_769_860_800,
    },
  ],
  nextCursor: 'm5sUYcOQv1yYt1Jq0yqTnDE3Njk4NjA4MDAsODQ1Myw0MTQxMjA1MCwxMiwtMQ',
  incompleteChains: [{ family: 'svcusd', chainId: 42_161, reason: 'unconfigured' }],
};

export const historyParameters: readonly RouteParameter[] = [
  oneFamily('Slug of one vault family; absent: all families.'),
  optional(
    'user',
    AskedAddress(),
    'Wallet address, matched as the owner of deposits and the receiver of exits. Any case, but a mixed-case checksum must be right.',
    '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  ),
  oneChain('One chain only. A chain on which no family lives gives an empty page.'),
  optional(
    'type',
    Type.Enum([...TYPES]),
    'One type of item. large-deposit: deposits worth at least 100 000 USD at their own time; it needs family.',
    'deposit',
  ),
  optional(
    'period',
    Type.Enum([...PERIODS]),
    'Only items newer than 1, 7 or 30 days ago, counted from the request for the first page.',
    '7d',
  ),
  optional(
    'cursor',
    Type.String(),
    'nextCursor of the page before, unchanged and with the same filters; only limit may differ.',
    historyExample.nextCursor,
  ),
  optional('limit', AskedWhole(HISTORY_LIMIT), 'The most items on the page.', '20'),
];
