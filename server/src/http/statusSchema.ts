import { Type } from 'typebox';
import { noticeText } from '../domain/vault/notice.ts';
import { describeOutage } from '../store/storeUnavailable.ts';
import {
  Block,
  ChainId,
  DateTime,
  Flag,
  List,
  Nullable,
  OneOf,
  Shape,
  Slug,
  Text,
} from './schemas.ts';
import { storageExample, storageSchema } from './storage.ts';

const STATES = ['live', 'syncing', 'unreachable', 'unconfigured'] as const;
const STATES_WORDS =
  'live: indexed up to its head. syncing: historical blocks are being indexed. unreachable: its RPC endpoints do not respond, or the chain is stalled. unconfigured: it has no RPC URL.';
const state = OneOf([...STATES], STATES_WORDS);
/** Readiness is about the initial backfill, status also about the current state. */
const stateNow = OneOf(
  [...STATES, 'stale'],
  `${STATES_WORDS} stale: out of date, because no indexer is running.`,
);
const sourceState = OneOf(
  ['current', 'syncing', 'halted', 'unreachable', 'unconfigured'],
  'current: indexed up to the head of the chain. syncing: not yet. halted: halted by an error that affects only it, see reason; data indexed before is served. unreachable: its chain cannot be read or is stale. unconfigured: its chain has no RPC URL.',
);
const reason = Nullable(
  Text('The error.', 'the share-price oracle does not answer'),
  'The error and what to do; null unless it is halted.',
);
const since = Nullable(DateTime('Since when.'), 'Since when; null unless it is halted.');
const gap = Shape(
  {
    missing: OneOf(
      ['state', 'logs'],
      'state: contract state, so series lack data points in this range, and events there are valued at the last known share price. logs: the events themselves, so nothing later is indexed for the family on this chain.',
    ),
    fromBlock: Block('First block of the gap.'),
    toBlock: Block('Last block of the gap.'),
    from: DateTime('Time of the block before the gap.'),
    to: DateTime('Time of the last block of the gap.'),
    reason: Text(
      'What is missing and how to fix it.',
      'Contract state from 2026-05-01 12:00 to 2026-05-03 12:00 UTC (blocks 27000000 to 27086400) is missing: no RPC URL of chain 8453 returned it, so series lack points there and events are valued at the last known share price. Add an archive URL to rpc of chain 8453. The gap is then filled automatically.',
    ),
  },
  'A range of blocks that no RPC URL of the chain could serve in full.',
);
const notice = Shape(
  {
    code: OneOf(
      [
        'unseen-deposit',
        'booked-redemption',
        'fixed-request',
        'other-asset',
        'unproven-rate',
        'unpriced-shares',
        'unseen-redemption',
      ],
      'unseen-deposit: shares were bought without a Deposit event, so their cost counts as 0. booked-redemption: redemptions count as paid at the request, because the external queue holds neither shares nor assets. fixed-request: a redemption request fixes the assets that it pays. other-asset: deposits or redemptions in another asset count as the value of their shares. unproven-rate: no payment in the indexed events, and no holding of a wrapper, has confirmed the described rate. unpriced-shares: shares moved before they had a price, so their cost counts as 0. unseen-redemption: shares were paid out without a Withdraw event, so these redemptions are missing.',
    ),
    since: DateTime('Time of the first transaction that showed it.'),
    message: Text(
      'What it means for the values.',
      noticeText('booked-redemption', 1, `0x${'0'.repeat(64)}`),
    ),
  },
  'A behavior of a vault that limits its values or changes their meaning.',
);
const chainName = Text('Network name.', 'base');
const block = (description: string) =>
  Nullable(Block(description), `${description} Null if unknown.`);

const database = Shape(
  {
    state: OneOf(
      ['available', 'stale', 'read-only', 'full'],
      'available: it accepts reads and writes. stale: the primary is unavailable, and data comes from a replica; the Age header has its age in seconds. read-only, full: it rejects writes, so data does not advance and nothing is sold.',
    ),
    reason: Nullable(
      Text('What happened and what to do.', describeOutage('full')),
      'What happened and what to do; null while it is available.',
    ),
    since: Nullable(DateTime('Since when.'), 'Since when; null while it is available.'),
  },
  'The database of this server.',
);
const available = { state: 'available', reason: null, since: null };

export const statusSchema = Shape(
  {
    chains: List(
      Shape(
        {
          chainId: ChainId('The chain.'),
          name: chainName,
          state: stateNow,
          head: block('Newest block that the RPC endpoint reports.'),
          finalized: block('Newest block that a reorg can no longer replace.'),
          indexedBlock: block('Newest indexed block.'),
          lagSeconds: Nullable(
            Type.Number({ minimum: 0, description: 'In seconds.', examples: [4] }),
            'Age of the newest indexed block, in seconds; null if none is indexed.',
          ),
          lastError: Nullable(
            Shape(
              {
                message: Text('The error.', 'rpc 1 did not answer in time'),
                since: DateTime('Since when.'),
              },
              'The error that prevents reading the chain.',
            ),
            'null if there is no error.',
          ),
          updatedAt: Nullable(
            DateTime('When this was last updated.'),
            'null before the chain was first read.',
          ),
          families: List(
            Shape(
              {
                family: Slug('Slug of the vault family.'),
                state: sourceState,
                reason,
                since,
                gaps: List(
                  gap,
                  'Recorded gaps of the family on this chain, oldest first; empty if the data is complete.',
                ),
                notices: List(
                  notice,
                  "Behaviors of this family's vault on this chain that limit its values or change their meaning; usually empty.",
                ),
              },
              'A vault family on this chain.',
            ),
            'The families of the page on this chain. A halted family does not affect the others; in incompleteChains of other routes, its chain counts as syncing.',
          ),
          feeds: List(
            Shape(
              {
                feed: Text('Name of the feed.', 'usdc-usd'),
                state: sourceState,
                reason,
                since,
              },
              'A price feed that is read from this chain.',
            ),
            'Every price feed that is read from this chain.',
          ),
        },
        'One chain.',
      ),
      'Every configured chain, in the order of the configuration.',
    ),
    database,
    storage: storageSchema,
    version: Text('The version of the server.', '0.1.0'),
  },
  'The state of the chains.',
);

export const statusExample = {
  chains: [
    {
      chainId: 8453,
      name: 'base',
      state: 'live',
      head: '30000004',
      finalized: '29999940',
      indexedBlock: '30000004',
      lagSeconds: 2,
      lastError: null,
      updatedAt: '2026-07-01T12:00:00.000Z',
      families: [
        { family: 'svcusd', state: 'current', reason: null, since: null, gaps: [], notices: [] },
      ],
      feeds: [{ feed: 'usdc-usd', state: 'current', reason: null, since: null }],
    },
  ],
  database: available,
  storage: storageExample,
  version: '0.1.0',
};

export const readySchema = Shape(
  {
    status: Type.Literal('ready', { description: 'Always ready.' }),
    chains: List(
      Shape(
        {
          chainId: ChainId('The chain.'),
          name: chainName,
          state,
          backfilled: Flag('Whether its initial backfill is complete.'),
        },
        'One chain.',
      ),
      'Every configured chain.',
    ),
    missing: List(
      Shape(
        {
          chainId: ChainId('The chain.'),
          family: Nullable(
            Slug('Slug of the vault family.'),
            'The family with the gap; null if the initial backfill of the entire chain is not complete.',
          ),
          reason: Text(
            'What is missing and, for a gap, how to fix it.',
            'arbitrum is at block 12 of 100',
          ),
        },
        'Data that is not served yet.',
      ),
      'Chains whose initial backfill is not complete, and gaps that the configuration does not accept. Empty when all data is served.',
    ),
    database,
    storage: storageSchema,
  },
  'Requests can be served.',
);

export const readyExample = {
  status: 'ready',
  chains: [{ chainId: 8453, name: 'base', state: 'live', backfilled: true }],
  missing: [],
  database: available,
  storage: storageExample,
};

export const liveSchema = Shape(
  { status: Type.Literal('live', { description: 'Always live.' }) },
  'The process responds.',
);
