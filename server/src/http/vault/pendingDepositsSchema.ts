import { type Static, Type } from 'typebox';
import {
  Address,
  Amount,
  ChainId,
  Decimals,
  List,
  Nullable,
  Shape,
  Slug,
  Text,
} from '../schemas.ts';

const deposit = Shape(
  {
    family: Slug('Slug of the vault family.'),
    chainId: ChainId('The chain of the deposit.'),
    vault: Address('The vault contract.'),
    assets: Amount('Queued assets, in the base asset.'),
    claimableAssets: Amount(
      'Accepted assets whose shares are ready to be claimed, in the base asset. Not included in assets.',
    ),
    claimableShares: Nullable(
      Amount('The shares for claimableAssets.'),
      'The shares that can be claimed for claimableAssets; null if the vault does not report them, for example while it is paused. Partial claims may leave shares that are worth less than a base unit of the asset.',
    ),
    shareDecimals: Decimals('Decimals of the share token.'),
    baseAsset: Address('The base asset of that vault.'),
    baseAssetDecimals: Decimals('Decimals of the base asset.'),
    baseAssetSymbol: Text('Symbol of the base asset.', 'USDC'),
    returnableAssets: Type.Optional(
      Amount(
        'Only for vaults with delayed cancellation: refunds of cancelled requests that can be claimed, in the base asset. Not included in assets.',
      ),
    ),
  },
  'Deposits of the wallet in one vault on one chain that have no shares yet.',
);

export const pendingDepositsSchema = Shape(
  {
    deposits: List(
      deposit,
      'One entry for each vault in which the wallet has queued assets, shares to claim, or refunds of a cancelled request.',
    ),
    incompleteChains: List(
      ChainId('A chain that was not read completely.'),
      'Chains, ascending, on which at least one read failed: no RPC URL, a failed or late multicall, or a failed read of a single vault. Vaults that could not be read have no entry in deposits; other vaults on a listed chain may have entries.',
    ),
  },
  'Pending deposits of a wallet, read live from the chains.',
);

export type PendingDeposits = Static<typeof pendingDepositsSchema>;
export type DepositEntry = PendingDeposits['deposits'][number];

export const pendingDepositsExample: PendingDeposits = {
  deposits: [
    {
      family: 'svcusd',
      chainId: 8453,
      vault: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      assets: '2500000000',
      claimableAssets: '1000000000',
      claimableShares: '962000000',
      shareDecimals: 6,
      baseAsset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      baseAssetDecimals: 6,
      baseAssetSymbol: 'USDC',
    },
  ],
  incompleteChains: [10],
};
