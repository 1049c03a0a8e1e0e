import { addressAt, fn } from '../../chain/abi.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../domain/hex.ts';
import { addressIn, ask, type Look } from './readContract.ts';

/** ERC-1967: the hashes of "eip1967.proxy.implementation" and "eip1967.proxy.beacon", less one. */
const IMPLEMENTATION: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const BEACON: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
/** ERC-1167: a contract that only forwards calls to an address. */
const MINIMAL = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/;

const implementation = fn('implementation()');

export interface Implementation {
  readonly address: Address;
  readonly by: 'proxy' | 'beacon' | 'clone';
}

/** Returns the contract whose code runs at this address; null if it is not a known proxy. */
export async function findImplementation(
  look: Look,
  address: Address,
): Promise<Implementation | null> {
  const { client, block } = look;
  const direct = await addressInSlot(look, address, IMPLEMENTATION);
  if (direct !== null) return { address: direct, by: 'proxy' };
  const beacon = await addressInSlot(look, address, BEACON);
  if (beacon !== null) {
    const [answer] = await ask(look, beacon, [implementation()]);
    const behind = addressIn(answer);
    return behind === null ? null : { address: behind, by: 'beacon' };
  }
  const clone = MINIMAL.exec(await client.code(address, block));
  return clone === null ? null : { address: `0x${clone[1]!}`, by: 'clone' };
}

/** Returns an address that is alone in a word of storage; null if there is none. */
export async function addressInSlot(
  look: Look,
  address: Address,
  slot: Hex,
): Promise<Address | null> {
  const word = await look.client.storageAt(address, slot, look.block);
  if (BigInt(word) >> 160n !== 0n) return null;
  const found = addressAt(word, 0);
  return found === ZERO_ADDRESS ? null : found;
}
