import { type Static, Type } from 'typebox';
import {
  Address,
  Amount,
  ChainId,
  Decimals,
  Deprecated,
  List,
  Nullable,
  OneOf,
  Shape,
  Slug,
  Text,
} from '../schemas.ts';

const UNKNOWN_BEFORE = ['claimable', 'not-indexed', 'several-vaults', 'unpriced'] as const;

const redeem = Shape(
  {
    family: Slug('Slug of the vault family.'),
    chainId: ChainId('The chain of the redemption.'),
    vault: Address('The vault contract.'),
    shares: Amount('Queued shares; 0 if they are burned at the request and only assets are owed.'),
    requestedAssets: Amount(
      'Assets that the request reserved, in the base asset, before any exit fee. An ERC-7540 vault that fixes the amount at the request (fixed-request in /v1/status) reserves the value of the shares in the block before. Other ERC-7540 vaults reserve nothing before they fulfill a request, so this equals currentAssets.',
    ),
    currentAssets: Amount('What these shares convert to now, in the base asset.'),
    shareDecimals: Decimals('Decimals of the share token.'),
    baseAsset: Nullable(
      Address("The family's base asset on that chain."),
      "The family's base asset on that chain; null if it is a currency and not a token.",
    ),
    baseAssetDecimals: Decimals('Decimals of the base asset.'),
    baseAssetSymbol: Text('Symbol of the base asset.', 'USDC'),
    claimableShares: Type.Optional(
      Amount(
        'For ERC-7540 vaults, and plain vaults with a known exit queue: shares of fulfilled requests that are ready to be claimed. Not included in shares.',
      ),
    ),
    claimableAssets: Type.Optional(
      Nullable(
        Amount('What the claim of claimableShares pays, in the base asset.'),
        'Present with claimableShares: what the claim pays, including for shares that the queue no longer counts; null if the vault does not report it.',
      ),
    ),
    assetsAhead: Nullable(
      Amount("Assets of other wallets' earlier requests, in the base asset."),
      'Assets that other wallets requested before the last of these requests and that are still pending, in this vault on this chain, in the base asset. First in, first out, this much is paid before the wallet is paid in full (a vault may use another order). Uses the reserved amounts (for partly paid requests, the remaining part); without reservations, the value of the shares at the newest indexed price. Null if unknown: assetsAheadReason has the reason.',
    ),
    assetsAheadReason: Nullable(
      OneOf(UNKNOWN_BEFORE, 'Why assetsAhead is null.'),
      "Why assetsAhead is null; null if it is known. claimable: nothing of this entry is pending. not-indexed: the index lags behind, so that the wallet's indexed requests differ from the vault's state. several-vaults: vaults over one share token, whose requests cannot be distinguished. unpriced: no share price is indexed yet.",
    ),
    assetsBefore: Deprecated(
      Nullable(Amount('The same amount.'), 'The same value.'),
      '`assetsAhead`',
    ),
    assetsBeforeReason: Deprecated(
      Nullable(OneOf(UNKNOWN_BEFORE, 'The same reason.'), 'The same value.'),
      '`assetsAheadReason`',
    ),
  },
  'A queued redemption of the wallet in one vault on one chain.',
);

export const pendingRedeemsSchema = Shape(
  {
    redeems: List(
      redeem,
      'One entry for each vault in which the wallet has queued shares (or, in an ERC-7540 vault, claimable ones).',
    ),
    incompleteChains: List(
      ChainId('A chain that was not read completely.'),
      'Chains, ascending, on which at least one read failed: no RPC URL, a failed or late multicall, or a failed read of a single vault. Vaults that could not be read have no entry in redeems; other vaults on a listed chain may have entries.',
    ),
  },
  'Pending redemptions of a wallet, read live from the chains.',
);

export type PendingRedeems = Static<typeof pendingRedeemsSchema>;
export type RedeemEntry = PendingRedeems['redeems'][number];

export const pendingRedeemsExample: PendingRedeems = {
  redeems: [
    {
      family: 'svcusd',
      chainId: 8453,
      vault: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      shares: '2500000000',
      requestedAssets: '2601250000',
      currentAssets: '2601375000',
      shareDecimals: 6,
      baseAsset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      baseAssetDecimals: 6,
      baseAssetSymbol: 'USDC',
      assetsAhead: '18250000000',
      assetsAheadReason: null,
      assetsBefore: '18250000000',
      assetsBeforeReason: null,
    },
  ],
  incompleteChains: [10],
};
