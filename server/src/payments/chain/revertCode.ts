import type { Hex } from '../../domain/hex.ts';
import type { NodeRefusal } from './nodes.ts';

/** Why a transfer fails, in words of ours: what the token says never reaches a payer. */
export type RevertCode =
  | 'insufficient_funds'
  | 'authorization_already_used'
  | 'authorization_expired'
  | 'authorization_not_yet_valid'
  | 'invalid_signature'
  | 'payment_would_fail';

const WORDS: readonly (readonly [RegExp, RevertCode])[] = [
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

/** Whether the contract said no, and not the node. */
export function isRevert({ error }: NodeRefusal): boolean {
  const { data, text } = error.words;
  return data !== null || /revert|out of gas|vm exception|invalid opcode/.test(text);
}

/** From what the call returned, else from the node's own sentence about it. */
export function revertCode(data: Hex | null, text: string): RevertCode {
  if (data?.startsWith(INSUFFICIENT_BALANCE)) return 'insufficient_funds';
  const reason = (data === null ? null : readReason(data)) ?? text;
  const found = WORDS.find(([words]) => words.test(reason));
  return found === undefined ? 'payment_would_fail' : found[1];
}

function readReason(data: Hex): string | null {
  if (!data.startsWith(REASON)) return null;
  const bytes = Buffer.from(data.slice(10), 'hex');
  // An offset word, a length word, the text.
  return bytes.length < 64 ? null : bytes.subarray(64).toString('utf8').toLowerCase();
}
