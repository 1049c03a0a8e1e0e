import { type Static, Type } from 'typebox';
import {
  ChainId,
  Count,
  DateTime,
  Decimals,
  Fraction,
  List,
  Nullable,
  OneOf,
  Shape,
  SignedAmount,
  Text,
} from '../schemas.ts';
import { incompleteChainsField } from './historySchema.ts';

const SOURCES = ['pool', 'reward', 'shareFees'] as const;

const part = {
  assets: SignedAmount('In the base asset.'),
  fraction: Nullable(
    Fraction('`assets` as a part of `averageValue`, over the window and not per year.'),
    '`assets` as a part of `averageValue`, over the window and not per year; null if that is 0.',
  ),
};

const amount = (description: string) => Shape(part, description);

const source = Shape(
  {
    source: OneOf(
      SOURCES,
      "pool: the change of the venue's share price; reward: what the venue streamed; shareFees: shares minted without a deposit, less shares burned without a payment; with `ledger.mints: received`, only shares burned in addition to a payment.",
    ),
    chainId: Nullable(ChainId('The chain of the pool.'), 'The chain of the pool; null for fees.'),
    offchainId: Nullable(
      Text('The id from the pool registry.', 'alpha:usdc:base'),
      'The id from the pool registry; null for fees.',
    ),
    ...part,
  },
  'One source and its contribution.',
);

export const yieldSchema = Shape(
  {
    from: Nullable(
      DateTime('First data point of the window.'),
      'First data point of the window; null without data.',
    ),
    to: Nullable(
      DateTime('Last data point of the window.'),
      'Last data point of the window; null without data.',
    ),
    dataPoints: Count('Data points that were used.'),
    baseAssetDecimals: Nullable(
      Decimals('Decimals of the base asset.'),
      'Decimals of the base asset; null if the vault has not been read yet.',
    ),
    averageValue: Nullable(
      Type.String({
        pattern: '^(0|[1-9][0-9]*)$',
        description: 'Average value of all shares in the window, in base units of the base asset.',
        examples: ['1250000000'],
      }),
      'Average value of all shares in the window, in base units of the base asset; null with fewer than two data points.',
    ),
    total: Nullable(
      amount('What the change of the share price added to the value of the shares.'),
      'What the change of the share price added to the value of the shares; null with fewer than two data points.',
    ),
    sources: List(source, 'Largest contribution first, regardless of its sign.'),
    unattributed: Nullable(
      amount('The rest of `total`: `total` less all sources, exactly.'),
      'The rest of `total`: `total` less all sources, exactly; null with fewer than two data points.',
    ),
    incompleteChains: incompleteChainsField,
  },
  'What contributed to the return of a family.',
);

export type YieldAnswer = Static<typeof yieldSchema>;

export const yieldExample: YieldAnswer = {
  from: '2026-01-01T23:55:00.000Z',
  to: '2026-01-31T23:55:00.000Z',
  dataPoints: 31,
  baseAssetDecimals: 6,
  averageValue: '1250000000000',
  total: { assets: '4625000000', fraction: 0.0037 },
  sources: [
    {
      source: 'pool',
      chainId: 8453,
      offchainId: 'alpha:usdc:base',
      assets: '4000000000',
      fraction: 0.0032,
    },
    {
      source: 'reward',
      chainId: 8453,
      offchainId: 'alpha:usdc:base',
      assets: '750000000',
      fraction: 0.0006,
    },
    {
      source: 'shareFees',
      chainId: null,
      offchainId: null,
      assets: '-250000000',
      fraction: -0.0002,
    },
  ],
  unattributed: { assets: '125000000', fraction: 0.0001 },
  incompleteChains: [],
};
