import { fn } from '../chain/abi.ts';
import type { Call } from '../chain/chainClient.ts';
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

export function ownCalls(vault: VaultOnChain): Call[] {
  const { chain, asset, share } = vault;
  return [
    { to: asset, data: balanceOf(chain.address) },
    { to: chain.address, data: totalAssets() },
    { to: share, data: totalSupply() },
    ...ratioCalls(vault),
  ];
}

/** Null where it does not answer what every vault must. */
export function ownWord(vault: VaultOnChain, answers: readonly CallResult[]): OwnWord | null {
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

/** What the vault converts shares to, for more and for fewer of them. */
export function ratioCalls({ chain, found }: VaultOnChain): Call[] {
  return found.ratioAmounts.map((shares) => ({ to: chain.address, data: convertToAssets(shares) }));
}

/** With the most digits that it has at this block; a large amount may be refused where a smaller one is not. */
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
