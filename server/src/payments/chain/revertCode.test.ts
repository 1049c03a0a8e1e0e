import { encodeErrorResult, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { type RevertCode, revertCode } from './revertCode.ts';

const ABI = parseAbi([
  'error Error(string)',
  'error ERC20InsufficientBalance(address, uint256, uint256)',
]);

describe('revertCode', () => {
  const cases: [RevertCode, string][] = [
    ['authorization_already_used', 'FiatTokenV2: authorization is used or canceled'],
    ['authorization_not_yet_valid', 'FiatTokenV2: authorization is not yet valid'],
    ['authorization_expired', 'FiatTokenV2: authorization is expired'],
    ['invalid_signature', 'FiatTokenV2: invalid signature'],
    ['invalid_signature', "ECRecover: invalid signature 's' value"],
    ['insufficient_funds', 'ERC20: transfer amount exceeds balance'],
    ['payment_would_fail', 'Blacklistable: account is blacklisted'],
    ['payment_would_fail', 'Pausable: paused'],
  ];
  test.each(cases)('%s: %s', (code, reason) => {
    const data = encodeErrorResult({ abi: ABI, errorName: 'Error', args: [reason] });
    expect(revertCode(data, 'execution reverted')).toBe(code);
    expect(revertCode(null, `execution reverted: ${reason}`.toLowerCase())).toBe(code);
  });

  test('behavior: recognizes a typed error, and returns null without one', () => {
    const args = ['0x0000000000000000000000000000000000000001', 1n, 2n] as const;
    const data = encodeErrorResult({ abi: ABI, errorName: 'ERC20InsufficientBalance', args });
    expect(revertCode(data, 'execution reverted')).toBe('insufficient_funds');
    expect(revertCode('0x', 'execution reverted')).toBe('payment_would_fail');
    expect(revertCode('0x08c379a0', 'execution reverted')).toBe('payment_would_fail');
  });
});
