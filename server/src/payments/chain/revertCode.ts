import type { Hex } from '../../domain/hex.ts';
import type { NodeRefusal } from './nodes.ts';

/** Why a transfer fails. The token's own text never reaches a payer. */
export type RevertCode =
  | 'insufficient_funds'
  | 'authorization_already_used'
  | 'authorization_expired'
  | 'authorization_not_yet_valid'
  | 'invalid_signature'
  | 'payment_would_fail';

const PATTERNS: readonly (readonly [RegExp, RevertCode])[] = [
  [/used or cancell?ed|authorization (?:is |was )?(?:already )?used/, 'authorization_already_used'],
  [/not yet valid/, 'authorization_not_yet_valid'],
  [/expired/, 'authorization_expired'],
  [/exceeds balance|insufficient (?:balance|funds)/, 'insufficient_funds'],
  [/invalid signature|signature.*invalid/, 'invalid_signature'],
];

/** Error(string). */
const REASON = '0x08c379a0';
/** ERC20InsufficientBalance(address,uint256,uint256) of ERC-6093. */
const INSUFFICIENT_BALANCE = '0xe450d38c';

/** Whether the contract reverted, rather than the RPC endpoint failing. */
export function isRevert({ error }: NodeRefusal): boolean {
  const { data, text } = error.raw;
  return data !== null || /revert|out of gas|vm exception|invalid opcode/.test(text);
}

/** Maps the revert data, or else the RPC endpoint's error message, to a code. */
export function revertCode(data: Hex | null, text: string): RevertCode {
  if (data?.startsWith(INSUFFICIENT_BALANCE)) return 'insufficient_funds';
  const reason = (data === null ? null : readReason(data)) ?? text;
  const found = PATTERNS.find(([pattern]) => pattern.test(reason));
  return found === undefined ? 'payment_would_fail' : found[1];
}

function readReason(data: Hex): string | null {
  if (!data.startsWith(REASON)) return null;
  const bytes = Buffer.from(data.slice(10), 'hex');
  // An offset word, a length word, the text.
  return bytes.length < 64 ? null : bytes.subarray(64).toString('utf8').toLowerCase();
}
