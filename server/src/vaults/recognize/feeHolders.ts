import { fn } from '../../chain/abi.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { addressInSlot } from './proxy.ts';
import { ask, type Look, numberIn } from './readContract.ts';

/**
 * The storage slots of IPOR Fusion's withdraw manager, which no function returns; the second is that of older vaults.
 */
const WITHDRAW_MANAGER_SLOTS: readonly Hex[] = [
  '0x465d2ff0062318fe6f4c7e9ac78cfcd70bc86a1d992722875ef83a9770513100',
  '0xb37e8684757599da669b8aea811ee2b3693b2582d2c730fab3f4965fa2ec3e11',
];
const getRequestFee = fn('getRequestFee()');

/** Returns accounts that take shares as a fee for a request: they are burned later, and have no owner until then. */
export async function findFeeHolders(look: Look, vault: Address): Promise<Address[]> {
  const named = await Promise.all(
    WITHDRAW_MANAGER_SLOTS.map((slot) => addressInSlot(look, vault, slot)),
  );
  const found: Address[] = [];
  for (const address of new Set(named)) {
    if (address === null) continue;
    const [fee] = await ask(look, address, [getRequestFee()]);
    if (numberIn(fee) !== null) found.push(address);
  }
  return found;
}
