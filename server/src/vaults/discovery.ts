import { fn } from '../chain/abi.ts';
import type { Address } from '../domain/hex.ts';
import { addressIn, numberIn } from './callResult.ts';
import { ask, type Look } from './recognize/readContract.ts';

const convertToAssets = fn('convertToAssets(uint256)');
const asset = fn('asset()');

/**
 * The number of digits of shares for which a share price is read, if the vault accepts it: months of yield show in the
 * last digits.
 */
const MAX_DIGITS = 33;

/**
 * Returns the largest power of ten of shares that the vault converts now. The maximum is returned as well: a vault that
 * converts nothing yet may accept it later.
 */
export async function findRatioAmounts(
  look: Look,
  vault: Address,
  shareDecimals: number,
): Promise<bigint[]> {
  const powers: bigint[] = [];
  for (let digits = MAX_DIGITS; digits > shareDecimals; digits--) {
    powers.push(10n ** BigInt(digits));
  }
  const answers = await ask(
    look,
    vault,
    powers.map((shares) => convertToAssets(shares)),
  );
  const taken = powers.find((_, i) => (numberIn(answers[i]) ?? 0n) > 0n);
  const whole = 10n ** BigInt(shareDecimals);
  return [...new Set([powers[0] ?? whole, taken ?? whole, whole])];
}

/** Returns the vaults whose asset is this one. */
export async function findSameAsset(
  look: Look,
  vaults: readonly Address[],
  base: Address,
): Promise<ReadonlySet<Address>> {
  const calls = vaults.map((to) => ({ to, data: asset() }));
  const assets = (await look.client.multicall(calls, look.block)).map(addressIn);
  return new Set(vaults.filter((_, i) => assets[i] === base));
}

export function known(addresses: readonly (Address | null)[]): Address[] {
  return [...new Set(addresses.filter((address) => address !== null))];
}
