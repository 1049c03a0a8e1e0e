import { type Static, Type } from 'typebox';
import {
  Address,
  Amount,
  ChainId,
  Decimals,
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
    chainId: ChainId('The chain on which the redemption waits.'),
    vault: Address('The vault contract.'),
    shares: Amount('Shares that wait in the queue.'),
    requestedAssets: Amount(
      'What the request reserved, of the base asset. An ERC-7540 vault fixes no amount before it fulfils a request: there it equals currentAssets.',
    ),
    currentAssets: Amount('What these shares convert to now, of the base asset.'),
    shareDecimals: Decimals('Decimals of the share token.'),
    baseAsset: Address("The family's base asset on that chain."),
    baseAssetDecimals: Decimals('Decimals of the base asset.'),
    baseAssetSymbol: Text('Symbol of the base asset.', 'USDC'),
    claimableShares: Type.Optional(
      Amount(
        'ERC-7540 vaults only: shares of requests that are fulfilled and ready to be claimed. They are not part of shares.',
      ),
    ),
    claimableAssets: Type.Optional(
      Nullable(
        Amount('What the claim of claimableShares pays, of the base asset.'),
        'ERC-7540 vaults only: what the claim of claimableShares pays; null when the vault does not say.',
      ),
    ),
    assetsBefore: Nullable(
      Amount('What others asked for before the last of these requests, of the base asset.'),
      `Beyond the interface: what others asked for before the last of these requests and still wait for, in this vault on this chain, of the base asset: all that is paid before the wallet has everything, first in, first out (a vault may pay in another order). What was reserved for them (of who was paid in part, what goes with the shares that are left); where they reserve nothing, what their shares are worth at the newest price that is indexed. Null when it is not known: assetsBeforeReason says why.`,
    ),
    assetsBeforeReason: Nullable(
      OneOf(UNKNOWN_BEFORE, 'Why assetsBefore is null.'),
      'Why assetsBefore is null; null when it is known. claimable: nothing of this entry waits any more. not-indexed: the indexed requests of the wallet are not what the vault says, because the index is behind. several-vaults: vaults over one share token, whose requests cannot be told apart. unpriced: no share price is indexed yet.',
    ),
  },
  'A queued redemption of the wallet in one vault on one chain.',
);

export const pendingRedeemsSchema = Shape(
  {
    redeems: List(
      redeem,
      'One entry for each vault in which the wallet has shares queued (or, in an ERC-7540 vault, ready to be claimed).',
    ),
    incompleteChains: List(
      ChainId('A chain that was not read completely.'),
      'Chains, ascending, on which at least one read did not answer: no RPC URL configured, a failed or late multicall, or a failed read of a single vault. What could not be read has no entry in redeems; a chain listed here may still have entries of its other vaults.',
    ),
  },
  'Pending redemptions of a wallet, read from the chains just now.',
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
      assetsBefore: '18250000000',
      assetsBeforeReason: null,
    },
  ],
  incompleteChains: [10],
};
