import { fn } from '../chain/abi.ts';
import type { Call } from '../chain/chainClient.ts';
import { unit } from '../domain/amount.ts';
import type { Ratio } from '../domain/vault/ratio.ts';
import type { CallResult, VaultOnChain } from './kind.ts';
import { numberIn } from './words.ts';

const balanceOf = fn('balanceOf(address)');
const totalAssets = fn('totalAssets()');
const totalSupply = fn('totalSupply()');
const convertToAssets = fn('convertToAssets(uint256)');

/** What an ERC-4626 vault says of itself. */
export interface OwnWord {
  /** Of the base asset, held by the vault itself. */
  readonly balance: bigint;
  readonly totalAssets: bigint;
  readonly supply: bigint;
  /** Base units for one whole share; null while the vault converts nothing. */
  readonly sharePrice: bigint | null;
  readonly ratio: Ratio | null;
}

export const OWN_CALLS = 5;

export function ownCalls({ chain, asset, share, shareDecimals, found }: VaultOnChain): Call[] {
  const vault = chain.address;
  return [
    { to: asset, data: balanceOf(vault) },
    { to: vault, data: totalAssets() },
    { to: share, data: totalSupply() },
    { to: vault, data: convertToAssets(unit(shareDecimals)) },
    { to: vault, data: convertToAssets(found.ratioShares) },
  ];
}

/** Null where it does not answer what every vault must. */
export function ownWord(vault: VaultOnChain, answers: readonly CallResult[]): OwnWord | null {
  const [balance, total, supply, whole, large] = answers.map((answer) => numberIn(answer));
  if (balance == null || total == null || supply == null) return null;
  return {
    balance,
    totalAssets: total,
    supply,
    sharePrice: whole ?? null,
    ratio: ratioOf(vault, whole ?? null, large ?? null),
  };
}

/** At a block where the large amount is refused, one whole share has the digits that there are. */
function ratioOf(
  { found, shareDecimals }: VaultOnChain,
  whole: bigint | null,
  large: bigint | null,
): Ratio | null {
  if (large !== null) return { assets: large, shares: found.ratioShares };
  return whole === null ? null : { assets: whole, shares: unit(shareDecimals) };
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
