import { fn } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { findImplementation } from './proxy.ts';
import { ask, type Look } from './readContract.ts';

/** The functions that never fail according to ERC-4626. */
const LIMITS = ['maxDeposit', 'maxMint', 'maxWithdraw', 'maxRedeem'].map((name) =>
  fn(`${name}(address)`),
);
const convertToAssets = fn('convertToAssets(uint256)');

export const LIMIT_NAMES = 'maxDeposit(), maxMint(), maxWithdraw() and maxRedeem()';

/**
 * Whether a contract with the conversions of ERC-4626 has none of its limits: it is something else, with other events.
 * Limits that only fail for now are in its code.
 */
export async function lacksLimits(look: Look, vault: Address): Promise<boolean> {
  const answers = await ask(
    look,
    vault,
    LIMITS.map((limit) => limit(vault)),
  );
  if (answers.some((answer) => answer !== null)) return false;
  const implementation = await findImplementation(look, vault);
  const code = await look.client.code(implementation?.address ?? vault, look.block);
  const names = (one: typeof convertToAssets) => code.includes(one().slice(2));
  // Code that lacks even a function that responded is behind another proxy: only the calls count.
  return !names(convertToAssets) || !LIMITS.some(names);
}
