import { fn } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { addressIn, ask, type Look, numberIn } from './readContract.ts';

/** Functions by which wrappers return their token. */
const NAMES = ['vault()', 'underlying()', 'token()', 'wrapped()', 'underlyingVault()'];

const totalSupply = fn('totalSupply()');
const balanceOf = fn('balanceOf(address)');

/** A token whose total supply a wrapper reports as its own, although it holds only a part of it. */
export interface WrappedSupply {
  readonly token: Address;
  readonly by: string;
  /** The wrapper's balance: the maximum for its holders. */
  readonly held: bigint;
  readonly supply: bigint;
}

export async function findWrappedSupply(look: Look, share: Address): Promise<WrappedSupply | null> {
  const answers = await ask(look, share, [totalSupply(), ...NAMES.map((name) => fn(name)())]);
  const stated = numberIn(answers[0]);
  if (!stated) return null;
  for (const [i, by] of NAMES.entries()) {
    const token = addressIn(answers[i + 1]);
    if (token === null || token === share) continue;
    const [supplyWord, heldWord] = await ask(look, token, [totalSupply(), balanceOf(share)]);
    const [supply, held] = [numberIn(supplyWord), numberIn(heldWord)];
    if (supply === stated && held !== null && held < supply) return { token, by, held, supply };
  }
  return null;
}
