import { addressAt, fn, wordAt } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { ask, type Look } from './readContract.ts';

const getAssets = fn('getAssets()');

/** A longer list is the result of another function. */
const MAX_ASSETS = 100n;

/** Returns the assets that a vault lists, including its base asset; empty without such a list. */
export async function findAssets(look: Look, vault: Address): Promise<Address[]> {
  const [answer] = await ask(look, vault, [getAssets()]);
  const words = answer ? (answer.length - 2) / 64 : 0;
  if (!answer || words < 2 || wordAt(answer, 0) !== 32n) return [];
  const length = wordAt(answer, 1);
  if (length > MAX_ASSETS || words < 2 + Number(length)) return [];
  return Array.from({ length: Number(length) }, (_, i) => addressAt(answer, 2 + i));
}
