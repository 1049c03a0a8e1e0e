import { type Hex, keccak256, stringToHex } from 'viem';

export const CHAIN_ID = 8453;
export const VAULT: Hex = '0x00000000000000000000000000000000ba5eba11';
export const ORACLE: Hex = '0x000000000000000000000000000000000facade5';
export const ASSET: Hex = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
export const AUTHORITY: Hex = '0x00000000000000000000000000000000a0a0a0a0';
export const MULTICALL: Hex = '0xca11bde05977b3631167028862be2a173976ca11';
export const DECIMALS = 6;

/** All events of the replayed chain; a log's kind is its index in this list. */
export const EVENTS = [
  { name: 'Transfer', signature: 'Transfer(address,address,uint256)', address: VAULT },
  { name: 'Deposit', signature: 'Deposit(address,address,uint256,uint256)', address: VAULT },
  {
    name: 'Withdraw',
    signature: 'Withdraw(address,address,address,uint256,uint256)',
    address: VAULT,
  },
  {
    name: 'RedeemRequest',
    signature: 'RedeemRequest(address,address,uint256,uint256,bool)',
    address: VAULT,
  },
  {
    name: 'RequestFulfilled',
    signature: 'RequestFulfilled(address,uint256,uint256)',
    address: VAULT,
  },
  {
    name: 'RequestCancelled',
    signature: 'RequestCancelled(address,uint256,uint256)',
    address: VAULT,
  },
  {
    name: 'SharePriceUpdated',
    signature: 'SharePriceUpdated(address,uint256,uint64)',
    address: ORACLE,
  },
] as const;

export type EventName = (typeof EVENTS)[number]['name'];

export const TOPICS: readonly Hex[] = EVENTS.map((event) =>
  keccak256(stringToHex(event.signature)),
);

export function kindOf(name: EventName): number {
  return EVENTS.findIndex((event) => event.name === name);
}

export function selector(signature: string): Hex {
  return keccak256(stringToHex(signature)).slice(0, 10) as Hex;
}
