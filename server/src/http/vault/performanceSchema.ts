import type { Static } from 'typebox';
import {
  Address,
  Amount,
  DateTime,
  Decimals,
  List,
  Nullable,
  Shape,
  SignedAmount,
  Slug,
  Text,
  Usd,
} from '../schemas.ts';

const usd = Shape(
  {
    currentValueUsd: Usd('currentValue at the price of pricedAt.'),
    unrealizedUsd: Usd('unrealized at the price of pricedAt; may be negative.'),
    realizedUsd: Usd('realized at the price of pricedAt; may be negative.'),
  },
  'The same figures in US dollars, all at one price.',
);

const entry = Shape(
  {
    family: Slug('Slug of the vault family.'),
    baseAsset: Address("The base asset on the family's first settlement chain."),
    baseAssetDecimals: Decimals('Decimals of the base asset.'),
    baseAssetSymbol: Text('Symbol of the base asset.', 'USDC'),
    shareDecimals: Decimals('Decimals of the share token.'),
    realized: SignedAmount(
      'Assets received for shares that were redeemed, less what those shares cost, of the base asset.',
    ),
    costBasis: Amount('What the shares still held cost, of the base asset.'),
    sharesBalance: Amount('Shares over all chains of the family, those in queued redemptions too.'),
    currentValue: Nullable(
      Amount('Value of the shares, of the base asset.'),
      'sharesBalance at the newest share price, rounded down once over all chains; null until the family has a share price.',
    ),
    unrealized: Nullable(
      SignedAmount('Gain not yet realised, of the base asset.'),
      'currentValue less costBasis; null when currentValue is.',
    ),
    usd: Nullable(usd, 'null when no price of the base asset is held that is recent enough.'),
    pricedAt: Nullable(
      DateTime('When the price was told.'),
      'The instant of the price behind every figure of usd; null when usd is.',
    ),
  },
  'A wallet in one vault family, over all its chains.',
);

const totals = Shape(
  {
    currentValueUsd: Usd('Sum over the families with USD figures.'),
    unrealizedUsd: Usd('Sum over the families with USD figures; may be negative.'),
    realizedUsd: Usd('Sum over the families with USD figures; may be negative.'),
    unpricedFamilies: List(
      Slug('Slug of a family.'),
      'Families of this answer without USD figures; they are not part of the sums.',
    ),
  },
  'Over all families of this answer.',
);

export const performanceSchema = Shape(
  {
    wallet: Address('The wallet asked for.'),
    families: List(entry, 'One entry for each family in which the wallet ever held shares.'),
    totals,
  },
  'What a wallet paid, received and holds.',
);

export type PerformanceAnswer = Static<typeof performanceSchema>;
export type PerformanceEntry = PerformanceAnswer['families'][number];

export const performanceExample: PerformanceAnswer = {
  wallet: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  families: [
    {
      family: 'svcusd',
      baseAsset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      baseAssetDecimals: 6,
      baseAssetSymbol: 'USDC',
      shareDecimals: 6,
      realized: '1250000',
      costBasis: '2500000000',
      sharesBalance: '2403846153',
      currentValue: '2512019229',
      unrealized: '12019229',
      usd: { currentValueUsd: 2511.77, unrealizedUsd: 12.02, realizedUsd: 1.25 },
      pricedAt: '2026-07-01T11:58:20.000Z',
    },
  ],
  totals: {
    currentValueUsd: 2511.77,
    unrealizedUsd: 12.02,
    realizedUsd: 1.25,
    unpricedFamilies: [],
  },
};
