import type { AssetText, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';

export interface Asset {
  readonly chainId: number;
  readonly address: Address | null;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly marketDataId: string;
}

export interface AssetPair {
  readonly base: Asset;
  readonly share: Asset;
}

/** The chain whose base asset, share price and authority stand for the family. */
export function firstSettlementChain(family: FamilyConfig): number {
  return family.chains.find(({ role }) => role === 'settlement')!.chainId;
}

/**
 * A family's two tokens on one chain. What a chain that was never read would say is taken from the configuration, and
 * from the other chains as far as it is alike on all; undefined while none was ever read.
 */
export function assetsOn(
  family: FamilyConfig,
  chainId: number,
  vaults: readonly VaultRow[],
): AssetPair | undefined {
  const own = vaults.find((vault) => vault.chainId === chainId);
  const other = vaults.find((vault) => vault.chainId === firstSettlementChain(family)) ?? vaults[0];
  if (other === undefined) return undefined;
  const read = own && tokensOf(own);
  const like = tokensOf(other);
  const chain = family.chains.find((one) => one.chainId === chainId);
  // A vault that is its own share token is so everywhere; a token apart has an address of its own on every chain.
  const ownShare = other.share === other.address ? chain?.address : undefined;
  return {
    base: asset(chainId, read?.base, like.base, family.baseAsset, chain?.asset),
    share: asset(chainId, read?.share, like.share, family.shareAsset, ownShare),
  };
}

/** Its base asset on one chain: what the chain says, else the configuration; undefined when neither does. */
export function baseAddressOn(
  family: FamilyConfig,
  chainId: number,
  vaults: readonly VaultRow[],
): Address | undefined {
  const read = vaults.find((vault) => vault.chainId === chainId);
  return read?.asset ?? family.chains.find((chain) => chain.chainId === chainId)?.asset;
}

interface Token {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
}

function tokensOf(vault: VaultRow): { readonly base: Token; readonly share: Token } {
  return {
    base: {
      address: vault.asset,
      symbol: vault.assetSymbol,
      name: vault.assetName,
      decimals: vault.assetDecimals,
    },
    share: {
      address: vault.share,
      symbol: vault.shareSymbol,
      name: vault.shareName,
      decimals: vault.shareDecimals,
    },
  };
}

function asset(
  chainId: number,
  read: Token | undefined,
  like: Token,
  text: AssetText,
  unread: Address | undefined,
): Asset {
  const address = read?.address ?? unread ?? null;
  return {
    chainId,
    address: address && checksummed(address),
    symbol: read?.symbol || text.symbol || like.symbol,
    name: read?.name || text.name || like.name,
    decimals: (read ?? like).decimals,
    marketDataId: text.marketDataId,
  };
}
