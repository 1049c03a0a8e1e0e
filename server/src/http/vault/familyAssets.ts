import type { AssetText, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';

export interface Asset {
  readonly chainId: number;
  /** Null for a currency, which is not a token. */
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

/** The chain whose base asset, share price, and authority represent the family. */
export function firstSettlementChain(family: FamilyConfig): number {
  return family.chains.find(({ role }) => role === 'settlement')!.chainId;
}

/**
 * Returns a family's two tokens on one chain. For a chain that was never read, they come from the configuration, and
 * from the other chains if it is the same on all; undefined if none was ever read, or if neither the chain nor the
 * configuration has an address: an entry without it would break clients that rely on the interface.
 */
export function assetsOn(
  family: FamilyConfig,
  chainId: number,
  vaults: readonly VaultRow[],
): AssetPair | undefined {
  const pair = pairOn(family, chainId, vaults);
  if (pair === undefined || vaults.some((vault) => vault.chainId === chainId)) return pair;
  const isBaseKnown = pair.base.address !== null || isCurrencyOn(family, chainId);
  return isBaseKnown && pair.share.address !== null ? pair : undefined;
}

/** Returns the tokens that represent the family: on its first settlement chain, else on the first chain with both addresses. */
export function mainAssets(
  family: FamilyConfig,
  vaults: readonly VaultRow[],
): AssetPair | undefined {
  const own = [firstSettlementChain(family), ...family.chains.map(({ chainId }) => chainId)];
  return own.map((chainId) => assetsOn(family, chainId, vaults)).find((pair) => pair !== undefined);
}

/** Returns the symbol of its base asset on one chain. */
export function baseSymbolOn(
  family: FamilyConfig,
  chainId: number,
  vaults: readonly VaultRow[],
): string | undefined {
  return pairOn(family, chainId, vaults)?.base.symbol ?? family.baseAsset.symbol;
}

function pairOn(
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
  // A vault that is its own share token is so on every chain; a separate token has its own address on every chain.
  const ownShare = chain?.share ?? (other.share === other.address ? chain?.address : undefined);
  return {
    base: asset(chainId, read?.base, like.base, family.baseAsset, unreadBase(family, chainId)),
    share: asset(chainId, read?.share, like.share, family.shareAsset, ownShare),
  };
}

/** Returns its base asset on one chain: from the chain, else from the configuration; undefined if neither has it. */
export function baseAddressOn(
  family: FamilyConfig,
  chainId: number,
  vaults: readonly VaultRow[],
): Address | undefined {
  const read = vaults.find((vault) => vault.chainId === chainId);
  return (read === undefined ? unreadBase(family, chainId) : read.asset) ?? undefined;
}

/** A token that the configuration names beside a currency has other decimals than its amounts. */
function unreadBase(family: FamilyConfig, chainId: number): Address | undefined {
  if (isCurrencyOn(family, chainId)) return undefined;
  return family.chains.find((chain) => chain.chainId === chainId)?.asset;
}

function isCurrencyOn(family: FamilyConfig, chainId: number): boolean {
  const chain = family.chains.find((one) => one.chainId === chainId);
  return chain?.rated?.unit.kind === 'currency';
}

interface Token {
  readonly address: Address | null;
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
  const address = read === undefined ? (unread ?? null) : read.address;
  return {
    chainId,
    address: address && checksummed(address),
    symbol: read?.symbol || text.symbol || like.symbol,
    name: read?.name || text.name || like.name,
    decimals: (read ?? like).decimals,
    marketDataId: text.marketDataId,
  };
}
