import { Type } from 'typebox';
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

const STATES = ['live', 'syncing', 'unreachable', 'unconfigured'] as const;
const STATES_WORDS =
  'live: followed at its head. syncing: the past is being read. unreachable: its RPC does not answer, or the chain stands still. unconfigured: it has no RPC URL.';
const state = OneOf([...STATES], STATES_WORDS);
/** Readiness asks for the past, status for the present as well. */
const stateNow = OneOf(
  [...STATES, 'stale'],
  `${STATES_WORDS} stale: no news of it for minutes: no indexer runs.`,
);
const sourceState = OneOf(
  ['current', 'syncing', 'held-back', 'unreachable', 'unconfigured'],
  'current: all that the chain has shown so far is indexed. syncing: not yet. held-back: something is wrong with it alone, which reason tells; what was indexed before is served. unreachable: its chain cannot be read or is stale. unconfigured: its chain has no RPC URL.',
);
const reason = Nullable(
  Text('What is wrong with it.', 'the share-price oracle does not answer'),
  'What holds it back and what to do; null unless it is held back.',
);
const since = Nullable(DateTime('Since when.'), 'Since when; null unless it is held back.');
const gap = Shape(
  {
    missing: OneOf(
      ['state', 'logs'],
      'state: contract state, so series lack points in this stretch and events there are valued at the last known share price. logs: the events themselves, so nothing later is indexed for the family on this chain.',
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
const chainName = Text("The network's name.", 'base');
const block = (description: string) =>
  Nullable(Block(description), `${description} null when unknown.`);

export const statusSchema = Shape(
  {
    chains: List(
      Shape(
        {
          chainId: ChainId('The chain.'),
          name: chainName,
          state: stateNow,
          head: block('Newest block that the node knows.'),
          finalized: block('Newest block that cannot be reorganised.'),
          indexedBlock: block('Newest block that is indexed.'),
          lagSeconds: Nullable(
            Type.Number({ minimum: 0, description: 'In seconds.', examples: [4] }),
            'Age of the newest indexed block, in seconds; null when none is indexed.',
          ),
          lastError: Nullable(
            Shape(
              {
                message: Text('What is wrong.', 'rpc 1 did not answer in time'),
                since: DateTime('Since when.'),
              },
              'What keeps the chain from being read.',
            ),
            'null while nothing is wrong.',
          ),
          updatedAt: Nullable(
            DateTime('When this was last true.'),
            'null before the first look at the chain.',
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
                  'Recorded gaps of the family on this chain, oldest first; empty when the data is complete.',
                ),
              },
              'A vault family on this chain.',
            ),
            'The families of the page that live on this chain. One that is held back holds back nobody else; in incompleteChains of other routes its chain counts as syncing.',
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
      families: [{ family: 'svcusd', state: 'current', reason: null, since: null, gaps: [] }],
      feeds: [{ feed: 'usdc-usd', state: 'current', reason: null, since: null }],
    },
  ],
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
          backfilled: Flag('Whether its past was read once.'),
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
            'The family that has the gap; null when the initial backfill of the whole chain is not complete.',
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
  },
  'Requests can be served.',
);

export const readyExample = {
  status: 'ready',
  chains: [{ chainId: 8453, name: 'base', state: 'live', backfilled: true }],
  missing: [],
};

export const liveSchema = Shape(
  { status: Type.Literal('live', { description: 'Always live.' }) },
  'It answers.',
);
