import { type Address, lower } from '../domain/hex.ts';
import type { Deployment } from './deployment.ts';
import { NotReadable, readable } from './notReadable.ts';

const SUPPLY = 'totalSupply() view returns (uint256)';
/** Getters with which wrappers report the wrapped token. */
const WRAPPED = ['vault', 'underlying', 'token', 'wrapped', 'underlyingVault'];

/** Why transfers do not add up to a supply, as far as the contracts show. */
export async function explainSupply(
  { chain, share, askAt }: Deployment,
  block: number,
  supply: bigint,
): Promise<string> {
  const first = chain.startBlock - 1;
  try {
    const before = await readable(() => askAt(Math.max(0, first))<bigint>(share, SUPPLY));
    if (before !== undefined && before > 0n) {
      return `startBlock is too late, there were ${before} before it`;
    }
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    return 'startBlock may be too late, or the token changes its supply without a Transfer';
  }
  const ask = askAt(block);
  for (const name of WRAPPED) {
    const wrapped = await readable(() => ask<Address>(share, `${name}() view returns (address)`));
    if (wrapped === undefined || lower(wrapped) === lower(share)) continue;
    if ((await readable(() => ask<bigint>(lower(wrapped), SUPPLY))) === supply) {
      return `its totalSupply() is that of ${lower(wrapped)}, another token`;
    }
  }
  return 'the token changes its supply without a Transfer';
}
