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
    chainId: ChainId('The chain on which the deposit waits.'),
    vault: Address('The vault contract.'),
    assets: Amount('What waits in the queue, of the base asset.'),
    claimableAssets: Amount(
      'What was taken in and whose shares are ready to be claimed, of the base asset. It is not part of assets.',
    ),
    claimableShares: Nullable(
      Amount('The shares of claimableAssets.'),
      'The shares that can be claimed for claimableAssets; null when the vault does not say, as while it is paused. Claims in parts may leave shares that are worth less than a base unit of the asset.',
    ),
    shareDecimals: Decimals('Decimals of the share token.'),
    baseAsset: Address('The base asset of that vault.'),
    baseAssetDecimals: Decimals('Decimals of the base asset.'),
    baseAssetSymbol: Text('Symbol of the base asset.', 'USDC'),
    returnableAssets: Type.Optional(
      Amount(
        'Only of vaults whose requests can be cancelled by and by: what cancelled requests give back and can be claimed, of the base asset. It is not part of assets.',
      ),
    ),
  },
  'Deposits of the wallet in one vault on one chain that it has no shares of yet.',
);

export const pendingDepositsSchema = Shape(
  {
    deposits: List(
      deposit,
      'One entry for each vault in which the wallet has assets queued, shares to claim, or assets of a cancelled request to take back.',
    ),
    incompleteChains: List(
      ChainId('A chain that was not read completely.'),
      'Chains, ascending, on which at least one read did not answer: no RPC URL configured, a failed or late multicall, or a failed read of a single vault. What could not be read has no entry in deposits; a chain listed here may still have entries of its other vaults.',
    ),
  },
  'Pending deposits of a wallet, read from the chains just now.',
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
