import { describe, expect, test } from 'vitest';
import { RpcRefused } from '../../chain/rpcError.ts';
import { type BroadcastAnswer, readBroadcast } from './broadcastAnswer.ts';

describe('readBroadcast', () => {
  const cases: [BroadcastAnswer, string][] = [
    ['accepted', 'already known'],
    ['accepted', 'AlreadyKnown'],
    ['accepted', 'Known transaction: 0x12'],
    ['accepted', 'transaction already imported'],
    ['accepted', 'ALREADY_EXISTS: already known'],
    ['nonce_used', 'nonce too low: next nonce 7, tx nonce 5'],
    ['nonce_used', 'Nonce too low. Expected nonce to be 7 but got 5.'],
    ['nonce_used', 'OldNonce, Current nonce: 7, nonce of rejected tx: 5'],
    ['nonce_ahead', 'nonce too high'],
    ['nonce_ahead', 'nonce too high: address 0x12, tx: 9 state: 7'],
    ['nonce_ahead', 'Nonce too high. Expected nonce to be 7 but got 9.'],
    ['nonce_ahead', 'NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER'],
    ['nonce_ahead', 'Transaction nonce is too distant from current sender nonce'],
    ['nonce_ahead', 'NonceGap, Future nonce. Expected nonce: 7'],
    ['underpriced', 'replacement transaction underpriced'],
    ['underpriced', 'transaction underpriced: gas tip cap 0, minimum needed 1'],
    ['underpriced', 'max fee per gas less than block base fee: address 0x, maxFeePerGas: 1'],
    ['underpriced', 'FeeTooLow, MaxFeePerGas too low.'],
    ['underpriced', 'ReplacementNotAllowed'],
    ['no_funds', 'insufficient funds for gas * price + value: balance 0, tx cost 1'],
    ['no_funds', "Sender doesn't have enough funds to send tx."],
    ['no_funds', 'Upfront cost exceeds account balance'],
    ['no_funds', 'InsufficientFunds, Account balance: 0'],
    ['refused', 'intrinsic gas too low'],
    ['refused', 'txpool is full'],
  ];
  test.each(cases)('%s: %s', (expected, text) => {
    const error = new RpcRefused({ upstream: 1, code: -32000, reverted: false });
    const words = { text: text.toLowerCase(), data: null };
    expect(readBroadcast({ error: error.withRaw(words) })).toBe(expected);
  });

  test('default: a hash is accepted', () => {
    expect(readBroadcast({ result: '0x12' })).toBe('accepted');
  });
});
