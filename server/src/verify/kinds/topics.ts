import { toEventSelector } from 'viem';
import type { Hex } from '../../domain/hex.ts';

/** ERC-20 and ERC-4626; an approval moves nothing. */
const COMMON = [
  'Transfer(address,address,uint256)',
  'Approval(address,address,uint256)',
  'Deposit(address,address,uint256,uint256)',
  'Withdraw(address,address,address,uint256,uint256)',
];

export function topicsOf(...signatures: readonly string[]): ReadonlySet<Hex> {
  return new Set([...COMMON, ...signatures].map((one) => toEventSelector(one)));
}
