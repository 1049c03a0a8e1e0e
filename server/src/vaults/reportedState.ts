import { fn } from '../chain/abi.ts';
import type { Call } from '../chain/chainClient.ts';
import type { Ratio } from '../domain/vault/ratio.ts';
import { numberIn } from './callResult.ts';
import type { CallResult, VaultOnChain } from './kind.ts';

const balanceOf = fn('balanceOf(address)');
const totalAssets = fn('totalAssets()');
const totalSupply = fn('totalSupply()');
const convertToAssets = fn('convertToAssets(uint256)');

/** The state that an ERC-4626 vault reports. */
export interface ReportedState {
  /** The vault's balance of the base asset. */
  readonly balance: bigint;
  readonly totalAssets: bigint;
  readonly supply: bigint;
  /** Base units for one share (10^decimals); null while the vault converts nothing. */
  readonly sharePrice: bigint | null;
  readonly ratio: Ratio | null;
}

export function reportedStateCalls(vault: VaultOnChain): Call[] {
  const { chain, asset, share } = vault;
  return [
    { to: asset!, data: balanceOf(chain.address) },
    { to: chain.address, data: totalAssets() },
    { to: share, data: totalSupply() },
    ...ratioCalls(vault),
  ];
}

/** Returns null without a response to a required call. */
export function readReportedState(
  vault: VaultOnChain,
  answers: readonly CallResult[],
): ReportedState | null {
  const [balance, total, supply] = answers.slice(0, 3).map((answer) => numberIn(answer));
  if (balance == null || total == null || supply == null) return null;
  const converted = answers.slice(3, 3 + vault.found.ratioAmounts.length);
  return {
    balance,
    totalAssets: total,
    supply,
    sharePrice: numberIn(converted.at(-1)),
    ratio: ratioIn(vault, converted),
  };
}

/** Returns the calls that convert shares to assets, for larger and smaller amounts. */
export function ratioCalls({ chain, found }: VaultOnChain): Call[] {
  return found.ratioAmounts.map((shares) => ({ to: chain.address, data: convertToAssets(shares) }));
}

/**
 * Uses the largest amount that the vault accepts at this block; a large amount may revert where a smaller one does not.
 */
export function ratioIn({ found }: VaultOnChain, answers: readonly CallResult[]): Ratio | null {
  for (const [i, shares] of found.ratioAmounts.entries()) {
    const assets = numberIn(answers[i]);
    if (assets !== null) return { assets, shares };
  }
  return null;
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
