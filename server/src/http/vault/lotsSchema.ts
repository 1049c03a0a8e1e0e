import { type Static, Type } from 'typebox';
import type { RouteParameter } from '../route.ts';
import { optional } from '../routeParameters.ts';
import {
  Address,
  Amount,
  AskedWhole,
  ChainId,
  DateTime,
  Decimals,
  List,
  Nullable,
  OneOf,
  Shape,
  SignedAmount,
  Slug,
  Text,
} from '../schemas.ts';
import { methodParameter } from './costMethod.ts';
import { incompleteChainsField } from './historySchema.ts';
import { nextCursor } from './nextCursor.ts';
import { walletParameters } from './walletParameters.ts';

export const LOT_STATES = ['open', 'closed'] as const;
export const LOTS_LIMIT = { min: 1, max: 500, default: 100 } as const;

const item = Shape(
  {
    family: Slug('Slug of the vault family.'),
    openedAt: Nullable(
      DateTime('When the shares came in.'),
      'When the shares came in; null for shares from before the first indexed block.',
    ),
    openedBy: Nullable(
      OneOf(['deposit', 'received', 'reward'], 'How the shares came in.'),
      'deposit; received: from another wallet, at their value then; reward: at no cost. Null if openedAt is null.',
    ),
    openedChainId: Nullable(ChainId('Where the shares came in.'), 'Null if openedAt is null.'),
    closedAt: Nullable(DateTime('When the shares left.'), 'Null for an open lot.'),
    closedBy: Nullable(
      OneOf(['exit', 'fee', 'sent'], 'How the shares left.'),
      'exit: assets paid for shares; fee: shares given up for no assets; sent: to another wallet. Null for an open lot.',
    ),
    closedChainId: Nullable(ChainId('Where the shares left.'), 'Null for an open lot.'),
    holdingSeconds: Nullable(
      Type.Integer({ minimum: 0, description: 'Seconds.' }),
      'From openedAt to closedAt, or until now; null if openedAt is null.',
    ),
    holdingDays: Nullable(
      Type.Integer({ minimum: 0, description: 'Days.' }),
      'holdingSeconds in full days of 24 hours.',
    ),
    shares: Amount('Shares that the lot still holds, or that left of it.'),
    shareDecimals: Decimals('Decimals of the share token.'),
    cost: Amount('Cost of these shares, in the base asset.'),
    baseAssetSymbol: Text('Symbol of the base asset.', 'USDC'),
    baseAssetDecimals: Decimals('Decimals of the base asset.'),
    currentValue: Nullable(
      Amount('Value of the shares, in the base asset.'),
      "The lot's part of the wallet's currentValue in the family, by shares. Null for a closed lot, and until the family has a share price.",
    ),
    unrealized: Nullable(
      SignedAmount('currentValue minus cost.'),
      'currentValue minus cost; null if currentValue is null.',
    ),
    assets: Nullable(
      Amount('Assets received for these shares.'),
      'Assets received for these shares; null for an open lot and for shares sent.',
    ),
    realized: Nullable(
      SignedAmount('assets minus cost.'),
      'assets minus cost; null if assets is null.',
    ),
  },
  'Shares that came in together: those still held, or those that left together.',
);

export type LotItem = Static<typeof item>;

export const lotsSchema = Shape(
  {
    wallet: Address('The requested wallet.'),
    items: List(
      item,
      'Open lots in the order in which they were opened, or closed lots in the order in which they left; family by family.',
    ),
    nextCursor,
    incompleteChains: incompleteChainsField,
  },
  'One page of lots.',
);

export const lotsExample = {
  wallet: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  items: [
    {
      family: 'svcusd',
      openedAt: '2025-11-01T09:30:00.000Z',
      openedBy: 'deposit',
      openedChainId: 8453,
      closedAt: '2026-01-31T23:55:00.000Z',
      closedBy: 'exit',
      closedChainId: 8453,
      holdingSeconds: 7_914_300,
      holdingDays: 91,
      shares: '1000000',
      shareDecimals: 6,
      cost: '1000000',
      baseAssetSymbol: 'USDC',
      baseAssetDecimals: 6,
      currentValue: null,
      unrealized: null,
      assets: '1045000',
      realized: '45000',
    },
  ],
  nextCursor: null,
  incompleteChains: [],
};

export const lotsParameters: readonly RouteParameter[] = [
  ...walletParameters,
  methodParameter,
  optional(
    'state',
    Type.Enum([...LOT_STATES]),
    'open (the default): shares that the wallet holds; closed: shares that left.',
    'closed',
  ),
  optional(
    'cursor',
    Type.String(),
    'nextCursor of the previous page, unchanged and with the same parameters; only limit may differ.',
    'm5sUYcOQv1yYt1Jq0yqTnDEsMTc2OTg2MDgwMA',
  ),
  optional('limit', AskedWhole(LOTS_LIMIT), 'Maximum number of lots on the page.', '100'),
];
