/** A hex string with 0x. Addresses and hashes inside the server are always lower-case. */
export type Hex = `0x${string}`;
export type Address = Hex;

export const ZERO_ADDRESS: Address = '0x0000000000000000000000000000000000000000';

export function lower(hex: string): Hex {
  return hex.toLowerCase() as Hex;
}
