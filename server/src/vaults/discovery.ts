import { fn } from '../chain/abi.ts';
import type { Address } from '../domain/hex.ts';
import { ask, type Look } from './recognise/look.ts';
import { addressIn, numberIn } from './words.ts';

const convertToAssets = fn('convertToAssets(uint256)');
const asset = fn('asset()');

/** A share price is asked for so many shares where the vault takes it: months of yield show in the last digits. */
const MOST_DIGITS = 33;

/**
 * The largest power of ten of shares that the vault converts now. The most digits of all are asked for as well: a vault
 * that converts nothing yet may take them later.
 */
export async function findRatioAmounts(
  look: Look,
  vault: Address,
  shareDecimals: number,
): Promise<bigint[]> {
  const powers: bigint[] = [];
  for (let digits = MOST_DIGITS; digits > shareDecimals; digits--) {
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

/** Those of the vaults whose asset is this one. */
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
