import { Type } from 'typebox';
import { EVENT_STATES, EVENT_TYPES, type FeedEvent } from '../../domain/events/event.ts';
import { EVENT_FIELDS, EVENT_ROWS } from '../../domain/events/eventTypes.ts';
import type { RouteParameter } from '../route.ts';
import { oneChain, oneFamily, optional } from '../routeParameters.ts';
import {
  AskedAddress,
  AskedWhole,
  ChainId,
  List,
  Nullable,
  OneOf,
  Shape,
  Slug,
  Text,
  UnixTime,
} from '../schemas.ts';

export const EVENT_LIMIT = { min: 1, max: 1_000, default: 100 } as const;
export const WAIT_SECONDS = { min: 0, max: 30, default: 0 } as const;
export const DELIVERIES = ['applied', 'final'] as const;

const whole = (description: string) => Type.Integer({ minimum: 0, description });

const eventShape = Shape(
  {
    cursor: Text('Position of the event. Pass it as `after` to continue after it.'),
    type: OneOf(EVENT_TYPES, `${EVENT_ROWS}.`),
    state: OneOf(
      EVENT_STATES,
      'applied: the row exists, and a reorg can still remove it; retracted: the row with this `id` is gone; final: the row exists, and its block is final.',
    ),
    id: Text('Identifies the row. All events about one row have the same `type` and `id`.'),
    family: Nullable(
      Slug('The vault family.'),
      'The vault family; null for the state of a chain, and for a grade.',
    ),
    chainId: Nullable(
      ChainId('The chain of the row.'),
      'The chain of the row; null for a tick and for a grade.',
    ),
    blockNumber: Nullable(
      whole('The block of the row.'),
      'The block of the row; null if there is no chain. For a state: the newest indexed block.',
    ),
    logIndex: Nullable(
      whole('Index of the log in its block; of an alert, the number of its transition.'),
      'Index of the log in its block; null if there is no log. Of an alert, the number of its transition.',
    ),
    blockTimestamp: UnixTime('Time of the block, or of the change if there is no block.'),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: `The row. ${EVENT_FIELDS}.`,
    }),
  },
  'One change.',
);

export const eventPage = Shape(
  {
    events: List(eventShape, 'In order, oldest first.'),
    cursor: Text('Pass it as `after` to continue. Present even if there are no events.'),
    hasMore: Type.Boolean({ description: 'Whether more events can be read without waiting.' }),
  },
  'A page of events.',
);

export const eventExample = {
  events: [
    {
      cursor: 'm5sUYcOQv1yYt1Jq0yqTnDE3Njk4NjA4MDAsODQ1Myw0MTQxMjA1MCwxMiwtMQ',
      type: 'history',
      state: 'applied',
      id: '8453-41412050-12',
      family: 'svcusd',
      chainId: 8453,
      blockNumber: 41_412_050,
      logIndex: 12,
      blockTimestamp: 1_769_860_800,
      data: {
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
    },
  ],
  cursor: 'm5sUYcOQv1yYt1Jq0yqTnDE3Njk4NjA4MDAsODQ1Myw0MTQxMjA1MCwxMiwtMQ',
  hasMore: false,
};

const filters: readonly RouteParameter[] = [
  optional(
    'types',
    Type.String(),
    `Comma-separated types of events: ${EVENT_TYPES.join(', ')}. Default: all.`,
    'history',
  ),
  oneFamily('Slug of one vault family. Default: all families.'),
  optional(
    'user',
    AskedAddress(),
    'Only events about this wallet. Any case, but a mixed-case checksum must be valid.',
    '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  ),
  oneChain('One chain only. Default: all chains.'),
  optional(
    'delivery',
    Type.Enum([...DELIVERIES]),
    'applied: report rows at once, and retract those that a reorg removes. final: report rows only when their block is final. Default: `applied`.',
    'applied',
  ),
];

const AFTER = 'A `cursor` of this server. It stays valid when filters change.';

export const pollParameters: readonly RouteParameter[] = [
  optional(
    'after',
    Type.String(),
    `${AFTER} \`latest\` returns the cursor of the newest event and no events. Default: the oldest stored event.`,
    'latest',
  ),
  optional('limit', AskedWhole(EVENT_LIMIT), 'Maximum number of events.', '100'),
  optional(
    'wait',
    AskedWhole(WAIT_SECONDS),
    'Seconds to wait for the first event if there is none. Default: `0`.',
    '25',
  ),
  ...filters,
];

export const streamParameters: readonly RouteParameter[] = [
  optional(
    'after',
    Type.String(),
    `${AFTER} The \`Last-Event-ID\` header has precedence. Default: only new events.`,
    'm5sUYcOQv1yYt1Jq0yqTnDE3Njk4NjA4MDAsODQ1Myw0MTQxMjA1MCwxMiwtMQ',
  ),
  ...filters,
];

/** The event as JSON. */
export function presentEvent(event: FeedEvent, cursor: string) {
  const { type, state, id, family, chainId, blockNumber, logIndex, blockTimestamp, data } = event;
  const isOnChain = chainId !== 0;
  // A payment that was not seen in a block yet has none.
  const hasBlock = isOnChain && (type !== 'payment' || blockNumber > 0);
  return {
    ...{ cursor, type, state, id, family },
    chainId: isOnChain ? chainId : null,
    blockNumber: hasBlock ? blockNumber : null,
    logIndex: isOnChain && type !== 'state' && type !== 'payment' ? logIndex : null,
    ...{ blockTimestamp, data },
  };
}
