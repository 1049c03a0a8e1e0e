import { type Static, Type } from 'typebox';
import { STATEMENT_FORMATS } from '../../domain/wallet/accounting/export/statementFile.ts';
import { MOVE_TYPES } from '../../domain/wallet/accounting/moveType.ts';
import type { RouteParameter } from '../route.ts';
import { optional } from '../routeParameters.ts';
import {
  Address,
  Amount,
  AskedWhole,
  ChainId,
  Count,
  DateTime,
  Decimals,
  Flag,
  Hash,
  List,
  Nullable,
  OneOf,
  Shape,
  SignedAmount,
  Slug,
  Text,
  Usd,
} from '../schemas.ts';
import { methodParameter } from './costMethod.ts';
import { incompleteChain } from './historySchema.ts';
import { walletParameters } from './walletParameters.ts';

export const STATEMENT_YEAR = { min: 2015, max: 2100 } as const;
export const MAX_WALLETS = 20;

const NO_PRICE = 'null if no price was available for a part of it.';

const balance = Shape(
  {
    at: DateTime('The second for which it is computed.'),
    shares: Amount('Shares held, including queued redemptions.'),
    cost: Amount('Cost basis of the shares, in the base asset.'),
    value: Nullable(
      Amount('Value of the shares.'),
      'Shares at the share price of that time, in the base asset; null if there was none.',
    ),
    unrealized: Nullable(
      SignedAmount('value minus cost.'),
      'value minus cost; null without a value.',
    ),
    valueUsd: Nullable(Usd('value at the price of that time.'), `value in US dollars; ${NO_PRICE}`),
  },
  'What the wallets held.',
);

const flow = Shape(
  {
    count: Count('Number of movements.'),
    shares: Amount('Sum of the shares.'),
    assets: Amount('Assets paid in or out, or the value of received shares; 0 for all others.'),
    cost: SignedAmount('Change of the cost basis.'),
    realized: SignedAmount('Realized profit or loss; 0 except for exits and fees.'),
    usd: Nullable(
      Usd('Sum of the USD values.'),
      `Sum of the USD values of \`assets\` at the time of each movement; ${NO_PRICE}`,
    ),
  },
  'All movements of one type.',
);

const entry = Shape(
  {
    at: DateTime('Time of its block.'),
    chainId: ChainId('The chain.'),
    wallet: Address('The wallet.'),
    type: OneOf(
      MOVE_TYPES,
      'deposit; exit: assets paid for shares; received, sent: shares from or to a wallet that is not in this statement; reward: shares that came in at no cost; fee: shares given up for no assets.',
    ),
    shares: Amount('Shares received or given up.'),
    assets: Amount('As in the sums above.'),
    cost: SignedAmount('Change of the cost basis.'),
    realized: Nullable(SignedAmount('Assets minus cost.'), 'Null except for exits and fees.'),
    usd: Nullable(Usd('Value of `assets`.'), 'Null if no price was available then.'),
    transactionHash: Nullable(Hash('The transaction.'), 'Null where it is not stored.'),
  },
  'One movement of shares.',
);

const family = Shape(
  {
    family: Slug('Slug of the vault family.'),
    baseAssetSymbol: Text('Symbol of the base asset.', 'USDC'),
    baseAssetDecimals: Decimals('Decimals of the base asset.'),
    shareSymbol: Text('Symbol of the share token.', 'svcUSD'),
    shareDecimals: Decimals('Decimals of the share token.'),
    opening: balance,
    deposits: flow,
    exits: flow,
    transfersIn: flow,
    transfersOut: flow,
    rewards: flow,
    fees: flow,
    closing: balance,
    realized: SignedAmount('Realized in the period: exits and fees.'),
    realizedUsd: Nullable(
      Usd('The same in US dollars.'),
      `Each result at the price of its time, in US dollars; ${NO_PRICE}`,
    ),
    unrealizedChange: Nullable(
      SignedAmount('Change of the unrealized profit or loss.'),
      'unrealized of closing minus that of opening; null if one of them is null.',
    ),
    costIncomplete: Flag(
      'Whether shares were bought without a Deposit event, or moved before they had a price: they cost 0 here. Also true if shares were paid out without a Withdraw event: that redemption is missing here.',
    ),
    entries: List(entry, 'The movements of the period, oldest first.'),
  },
  'One vault family, over all its chains.',
);

const totals = Shape(
  {
    openingValueUsd: Usd('Sum over the families.'),
    closingValueUsd: Usd('Sum over the families.'),
    depositsUsd: Usd('Sum over the families.'),
    exitsUsd: Usd('Sum over the families.'),
    realizedUsd: Usd('Sum over the families; can be negative.'),
    unpricedFamilies: List(
      Slug('Slug of a family.'),
      'Families for which one of these values is null; they are not included in the sums.',
    ),
  },
  'Over all families of this response.',
);

export const statementSchema = Shape(
  {
    wallets: List(Address('A wallet.'), 'The requested wallets, as one owner.'),
    method: Text('The cost method.', 'fifo'),
    year: Type.Integer({ description: 'The calendar year.' }),
    timeZone: Text('The time zone of the year.', 'Europe/Zurich'),
    from: DateTime('The first second of the year.'),
    until: DateTime('The end of the year, or now if it is not over.'),
    families: List(family, 'Each family that the wallets held or moved shares of in the year.'),
    totals,
    incompleteChains: List(
      incompleteChain,
      'Chains of the requested families that could not be read completely: movements can be missing.',
    ),
  },
  'A statement of a calendar year.',
);

export type StatementAnswer = Static<typeof statementSchema>;
export type StatementFamily = StatementAnswer['families'][number];

const none = { count: 0, shares: '0', assets: '0', cost: '0', realized: '0', usd: 0 };

export const statementExample: StatementAnswer = {
  wallets: ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  method: 'fifo',
  year: 2026,
  timeZone: 'Europe/Zurich',
  from: '2025-12-31T23:00:00.000Z',
  until: '2026-07-01T12:00:00.000Z',
  families: [
    {
      family: 'svcusd',
      baseAssetSymbol: 'USDC',
      baseAssetDecimals: 6,
      shareSymbol: 'svcUSD',
      shareDecimals: 6,
      opening: {
        at: '2025-12-31T22:59:59.000Z',
        shares: '1000000',
        cost: '1000000',
        value: '1040000',
        unrealized: '40000',
        valueUsd: 1.04,
      },
      deposits: none,
      exits: {
        count: 1,
        shares: '1000000',
        assets: '1045000',
        cost: '-1000000',
        realized: '45000',
        usd: 1.045,
      },
      transfersIn: none,
      transfersOut: none,
      rewards: none,
      fees: none,
      closing: {
        at: '2026-07-01T12:00:00.000Z',
        shares: '0',
        cost: '0',
        value: '0',
        unrealized: '0',
        valueUsd: 0,
      },
      realized: '45000',
      realizedUsd: 0.045,
      unrealizedChange: '-40000',
      costIncomplete: false,
      entries: [
        {
          at: '2026-01-31T23:55:00.000Z',
          chainId: 8453,
          wallet: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
          type: 'exit',
          shares: '1000000',
          assets: '1045000',
          cost: '-1000000',
          realized: '45000',
          usd: 1.045,
          transactionHash: `0x${'ab'.repeat(32)}`,
        },
      ],
    },
  ],
  totals: {
    openingValueUsd: 1.04,
    closingValueUsd: 0,
    depositsUsd: 0,
    exitsUsd: 1.045,
    realizedUsd: 0.045,
    unpricedFamilies: [],
  },
  incompleteChains: [],
};

export const statementParameters: readonly RouteParameter[] = [
  ...walletParameters,
  optional(
    'year',
    AskedWhole(STATEMENT_YEAR),
    'Calendar year in the time zone. Default: the current one. A year that has not begun is an error.',
    '2026',
  ),
  optional(
    'timeZone',
    Type.String({ default: 'UTC' }),
    'Time zone of the IANA database. Default: UTC.',
    'Europe/Zurich',
  ),
  methodParameter,
  optional(
    'wallets',
    Type.String(),
    `Additional wallets of the same owner, separated by commas, at most ${MAX_WALLETS} in total. Transfers between them net to zero.`,
    '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  ),
];

export const formatParameter = optional(
  'format',
  Type.Enum([...STATEMENT_FORMATS]),
  "koinly: Koinly's universal template; cointracking: CoinTracking's CSV import; journal (the default): double entries with debit and credit.",
  'koinly',
);
