import { type Static, Type } from 'typebox';
import { OUTCOMES, PERIOD_NAMES } from '../../domain/vault/exitTerms.ts';
import {
  Address,
  Amount,
  ChainId,
  Count,
  DateTime,
  Decimals,
  Flag,
  List,
  Nullable,
  OneOf,
  Percent,
  Shape,
  Slug,
  Text,
} from '../schemas.ts';

const Seconds = (what: string) =>
  Nullable(
    Type.Integer({ minimum: 0, description: `${what} In seconds.`, examples: [86_400] }),
    `${what} In seconds; null if no request was paid in the period.`,
  );

const queue = Shape(
  {
    requests: Count('Pending requests.'),
    shares: Amount('Their shares.'),
    assets: Nullable(
      Amount('What the requests reserved, in the base asset.'),
      'What the requests reserved, or the value of their shares at the request, in base units of the base asset; null if it is unknown for one of them.',
    ),
    oldest: Nullable(
      DateTime('When the oldest of them was made.'),
      'When the oldest of them was made; null if there are none.',
    ),
  },
  'The indexed queue: what is ahead of a new request.',
);

const measuredWait = Shape(
  {
    days: Type.Integer({
      minimum: 1,
      description: 'Length of the measured period.',
      examples: [90],
    }),
    requests: Count('Requests that were paid or became claimable in the period.'),
    medianSeconds: Seconds('Median wait of their shares.'),
    p90Seconds: Seconds('90th percentile of the wait of their shares.'),
  },
  'How long requests waited before, from the indexed history. Measured, not promised: a new request can wait longer.',
);

const chainTerms = Shape(
  {
    chainId: ChainId('The chain.'),
    vault: Address('The vault contract.'),
    blockNumber: Type.Integer({ minimum: 0, description: 'The block that was read.' }),
    baseAsset: Nullable(
      Address("The family's base asset on that chain."),
      "The family's base asset on that chain; null if it is a currency and not a token.",
    ),
    baseAssetDecimals: Decimals('Decimals of the base asset.'),
    baseAssetSymbol: Text('Symbol of the base asset.', 'USDC'),
    shareDecimals: Decimals('Decimals of the share token.'),
    outcome: Nullable(
      OneOf(OUTCOMES, 'The result of redeeming the requested amount.'),
      'The result of redeeming `assets` now. instant: it is paid at once; partial: `instantAssets` are paid at once if they are requested on their own; queued: it waits; unavailable: it is rejected. Null without `assets`, or if the contracts do not show it.',
    ),
    instantAssets: Nullable(
      Amount('The part of `assets` that can be paid at once.'),
      'The part of `assets` that can be paid at once, in base units of the base asset; null if `outcome` is null.',
    ),
    queuedAssets: Nullable(
      Amount('The part of `assets` that would wait.'),
      'The part of `assets` that would wait, in base units of the base asset; null if `outcome` is null, or if it is unknown whether the rest can wait.',
    ),
    shares: Nullable(
      Amount('Shares for `assets`.'),
      'Shares that `assets` convert to, rounded down; null without `assets`, or if the vault does not convert them.',
    ),
    withdrawableAssets: Nullable(
      Amount('The maximum that can be withdrawn at once now.'),
      'The maximum that can be withdrawn at once now, before any exit fee, in base units of the base asset; null if it is unknown. If the vault has no function for it, the limit that it reports for its largest holders.',
    ),
    withdrawableAtLeast: Nullable(
      Amount('A lower bound of it.'),
      'A lower bound of `withdrawableAssets`, because a vault reports no limit above the balance of a holder. Null if it is unknown.',
    ),
    indexedAt: Nullable(
      DateTime('The time of `idleAssets` and `availableLiquidity`.'),
      'The time of `idleAssets` and `availableLiquidity`; null while nothing is indexed.',
    ),
    idleAssets: Nullable(
      Amount('Base asset held by the vault itself.'),
      'Base asset held by the vault itself, in base units; null while nothing is indexed.',
    ),
    availableLiquidity: Nullable(
      Amount('What can be withdrawn from the pools.'),
      "What the vault can withdraw from its pools, in base units of the base asset; null for a feeder, without known pools, or if one of them does not state it. The vault's operator may have to move it first.",
    ),
    queue,
    measuredWait,
    periods: List(
      Shape(
        {
          name: OneOf(
            PERIOD_NAMES,
            'cooldown: time between the request and the payment; unstake-window: time in which it can be claimed afterwards; claim-delay: minimum time before a claim; timelock: time before a change of the vault takes effect.',
          ),
          seconds: Type.Integer({ minimum: 0, description: 'In seconds.', examples: [604_800] }),
        },
        'A period that the contract states.',
      ),
      'Periods that the vault contract reports; empty if it reports none that the server knows.',
    ),
    exitFeePct: Nullable(
      Percent('The exit fee.'),
      'The exit fee, in percent of the amount, for `assets` or else for 1,000 shares: what the vault previews for a redemption, compared with what the shares convert to. Null if the vault does not preview redemptions.',
    ),
    exitFeeAssets: Nullable(
      Amount('The exit fee of `assets`.'),
      'The exit fee of `assets`, in base units of the base asset; null without `assets`, or if the fee is unknown.',
    ),
    deposits: Nullable(
      Shape(
        {
          isLimited: Flag('Whether there is a limit.'),
          maxAssets: Nullable(
            Amount('The maximum that can be deposited now.'),
            'The maximum that can be deposited now, in base units of the base asset; null without a limit.',
          ),
        },
        'The deposit limit.',
      ),
      'The deposit limit of an account without permissions; null if the vault does not state it.',
    ),
    paused: Nullable(
      Flag('Whether the vault is paused.'),
      'Whether the vault is paused; null if it does not state it.',
    ),
  },
  'Exit terms on one chain.',
);

export const exitTermsSchema = Shape(
  {
    family: Slug('Slug of the vault family.'),
    assets: Nullable(
      Amount('The requested amount.'),
      'The requested amount, before any exit fee; null if none was requested.',
    ),
    chains: List(
      chainTerms,
      'One entry per chain that was read, in the order of the configuration.',
    ),
    incompleteChains: List(
      ChainId('A chain that was not read.'),
      'Chains, ascending, that could not be read: no RPC URL, a failed or late multicall, or a vault that was never indexed. They have no entry in chains.',
    ),
  },
  'Exit terms of a family.',
);

export type ExitTermsAnswer = Static<typeof exitTermsSchema>;
export type ChainExitTerms = ExitTermsAnswer['chains'][number];

export const exitTermsExample: ExitTermsAnswer = {
  family: 'svcusd',
  assets: '2500000000',
  chains: [
    {
      chainId: 8453,
      vault: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      blockNumber: 41_412_050,
      baseAsset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      baseAssetDecimals: 6,
      baseAssetSymbol: 'USDC',
      shareDecimals: 6,
      outcome: 'partial',
      instantAssets: '1000000000',
      queuedAssets: '1500000000',
      shares: '2391863000',
      withdrawableAssets: '1000000000',
      withdrawableAtLeast: '1000000000',
      indexedAt: '2026-01-31T23:55:00.000Z',
      idleAssets: '19250000000',
      availableLiquidity: '480000000000',
      queue: {
        requests: 2,
        shares: '17450000000',
        assets: '18250000000',
        oldest: '2026-01-31T20:00:00.000Z',
      },
      measuredWait: { days: 90, requests: 41, medianSeconds: 5_400, p90Seconds: 86_400 },
      periods: [],
      exitFeePct: 0.1,
      exitFeeAssets: '2500000',
      deposits: { isLimited: false, maxAssets: null },
      paused: false,
    },
  ],
  incompleteChains: [10],
};
