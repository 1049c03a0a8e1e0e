import { Type } from 'typebox';
import type { RouteParameter } from '../route.ts';
import { oneChain, oneFamily, optional } from '../routeParameters.ts';
import {
  Address,
  Amount,
  AskedAddress,
  AskedHash,
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
import { nextCursor } from './nextCursor.ts';

export const TYPES = ['deposit', 'withdraw', 'redeem', 'cancel', 'large-deposit'] as const;
export const PERIODS = ['1d', '7d', '30d'] as const;
export const HISTORY_LIMIT = { min: 1, max: 500, default: 20 } as const;

const item = Shape(
  {
    id: Text('Identifies the item, also in `/v1/events`: `chainId-blockNumber-logIndex`.'),
    type: OneOf(
      ['deposit', 'withdraw', 'redeem', 'cancel'],
      'deposit; withdraw: assets paid out, immediately or when a queued request is fulfilled; redeem: a queued redemption request; cancel: a cancelled request. An instant redemption is one item.',
    ),
    chainId: ChainId('The chain.'),
    vaultAddress: Address("The family's vault on that chain."),
    user: Address('The wallet: the owner of a deposit, the receiver of a redemption.'),
    assets: Nullable(
      Amount('In the base asset.'),
      'In base units of the base asset. Null for a redemption request that names only shares, before the first share price of its vault.',
    ),
    shares: Amount('In shares.'),
    transactionHash: Hash('The transaction.'),
    blockTimestamp: UnixTime('Time of its block.'),
    blockNumber: Type.Integer({ minimum: 0, description: 'The block in which it happened.' }),
    logIndex: Type.Integer({ minimum: 0, description: 'Index of its log in that block.' }),
  },
  'A deposit, payout, request, or cancellation.',
);

export const incompleteChain = Shape(
  {
    family: Slug('The vault family.'),
    chainId: ChainId('The chain whose items may be incomplete.'),
    reason: OneOf(
      ['unconfigured', 'unreachable', 'syncing'],
      'unconfigured: the server has no RPC URL for it; unreachable: its RPC endpoints do not respond, the chain is stalled, or no indexer runs; syncing: it is not indexed up to its head yet.',
    ),
  },
  'A chain that could not be read completely.',
);

/** A field of responses that are made of indexed rows. */
export const incompleteChainsField = List(
  incompleteChain,
  'Chains of the requested families that could not be read completely: rows of them can be missing.',
);

export const historyPage = Shape(
  {
    items: List(item, 'Newest first, by block time, chain id, block number, and log index.'),
    nextCursor,
    incompleteChains: List(
      incompleteChain,
      'Every chain of the requested families, in any role, that could not be read completely. Indexed items of it are still returned.',
    ),
  },
  'One page of history.',
);

export const historyExample = {
  items: [
    {
      id: '8453-41412050-12',
      type: 'deposit',
      chainId: 8453,
      vaultAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      user: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      assets: '250000000',
      shares: '239186380',
      transactionHash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
      blockTimestamp: 1_769_860_800,
      blockNumber: 41_412_050,
      logIndex: 12,
    },
  ],
  nextCursor: 'm5sUYcOQv1yYt1Jq0yqTnDE3Njk4NjA4MDAsODQ1Myw0MTQxMjA1MCwxMiwtMQ',
  incompleteChains: [{ family: 'svcusd', chainId: 42_161, reason: 'unconfigured' }],
};

export const historyParameters: readonly RouteParameter[] = [
  oneFamily('Slug of one vault family. Default: all families.'),
  optional(
    'user',
    AskedAddress(),
    'Wallet address: the owner of deposits and the receiver of redemptions. Any case, but a mixed-case checksum must be valid.',
    '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  ),
  optional(
    'transactionHash',
    AskedHash(),
    'Only the items of this transaction. If there are none, the transaction has no items, or its chain is not indexed up to it yet.',
    '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  ),
  oneChain('Only this chain. A chain without families returns an empty page.'),
  optional(
    'type',
    Type.Enum([...TYPES]),
    'Only this type of item. large-deposit: deposits worth at least 100,000 USD at their time; needs family.',
    'deposit',
  ),
  optional(
    'period',
    Type.Enum([...PERIODS]),
    'Only items newer than 1, 7, or 30 days, counted from the request for the first page.',
    '7d',
  ),
  optional(
    'cursor',
    Type.String(),
    'nextCursor of the previous page, unchanged and with the same filters; only limit may differ.',
    historyExample.nextCursor,
  ),
  optional('limit', AskedWhole(HISTORY_LIMIT), 'Maximum number of items on the page.', '20'),
];
