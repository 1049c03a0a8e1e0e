import { fn } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { ask, decimalsIn, type Look, textIn } from './readContract.ts';

const symbol = fn('symbol()');
const name = fn('name()');
const decimals = fn('decimals()');

/** A token's description of itself. */
export interface TokenFacts {
  readonly address: Address;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number | null;
}

export async function readTokenFacts(look: Look, address: Address): Promise<TokenFacts> {
  const [symbolData, nameData, decimalsWord] = await ask(look, address, [
    symbol(),
    name(),
    decimals(),
  ]);
  return {
    address,
    symbol: textIn(symbolData),
    name: textIn(nameData),
    decimals: decimalsIn(decimalsWord),
  };
}
