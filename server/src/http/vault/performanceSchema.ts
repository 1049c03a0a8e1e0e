import { type Static, Type } from 'typebox';
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
import { AsOfField } from './asOfSchema.ts';

const usd = Shape(
  {
    currentValueUsd: Usd('currentValue at the price of pricedAt.'),
    unrealizedUsd: Usd('unrealized at the price of pricedAt; may be negative.'),
    realizedUsd: Usd('realized at the price of pricedAt; may be negative.'),
  },
  'The same values in US dollars, all at one price.',
);

const entry = Shape(
  {
    family: Slug('Slug of the vault family.'),
    baseAsset: Nullable(
      Address("The base asset on the family's first settlement chain."),
      "The base asset on the family's first settlement chain; null if it is a currency and not a token.",
    ),
    baseAssetDecimals: Decimals('Decimals of the base asset.'),
    baseAssetSymbol: Text('Symbol of the base asset.', 'USDC'),
    shareDecimals: Decimals('Decimals of the share token.'),
    realized: SignedAmount(
      'Assets received for redeemed shares minus their cost, in the base asset.',
    ),
    costBasis: Amount('Cost of the held shares, in the base asset.'),
    sharesBalance: Amount('Shares over all chains of the family, including queued redemptions.'),
    currentValue: Nullable(
      Amount('Value of the shares, in the base asset.'),
      'sharesBalance at the newest share price, rounded down once over all chains; null until the family has a share price.',
    ),
    unrealized: Nullable(
      SignedAmount('Unrealized profit or loss, in the base asset.'),
      'currentValue minus costBasis; null if currentValue is null.',
    ),
    usd: Nullable(usd, 'null if no recent price of the base asset is available.'),
    costIncomplete: Type.Optional(
      Type.Literal(true, {
        description:
          'Present if the wallet bought shares without a Deposit event, or got shares before they had a price: they cost 0 here, so costBasis is too low, and unrealized or realized too high. Also present if it was paid for shares without a Withdraw event: realized leaves that payment out.',
      }),
    ),
    pricedAt: Nullable(
      DateTime('Time of the price.'),
      'Time of the price of all values in usd; null if usd is null.',
    ),
    asOf: AsOfField,
  },
  'A wallet in one vault family, over all its chains.',
);

const totals = Shape(
  {
    currentValueUsd: Usd('Sum over the families with USD values.'),
    unrealizedUsd: Usd('Sum over the families with USD values; can be negative.'),
    realizedUsd: Usd('Sum over the families with USD values; can be negative.'),
    unpricedFamilies: List(
      Slug('Slug of a family.'),
      'Families of this response without USD values; they are not included in the sums.',
    ),
  },
  'Over all families of this response.',
);

export const performanceSchema = Shape(
  {
    wallet: Address('The requested wallet.'),
    families: List(entry, 'One entry for each family in which the wallet ever held shares.'),
    totals,
  },
  'The cost basis, holdings, and profit or loss of a wallet.',
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
