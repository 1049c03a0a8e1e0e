import { describe, expect, test } from 'vitest';
import { findCommand } from './findCommand.ts';
import { UsageError } from './usageError.ts';

const NAMES = ['start', 'payments list', 'payments refund', 'risk import'] as const;

function refusal(line: string): string {
  try {
    findCommand(line.split(' '), NAMES);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('findCommand', () => {
  test('default', () => {
    expect(findCommand(['start', '--config', 'a'], NAMES)).toEqual({
      name: 'start',
      rest: ['--config', 'a'],
    });
  });

  test('behavior: names of two words', () => {
    expect(findCommand(['payments', 'refund', '--id', '1'], NAMES)).toEqual({
      name: 'payments refund',
      rest: ['--id', '1'],
    });
  });

  test('error: each rejection is one line with advice', () => {
    expect(refusal('payments')).toBe('payments needs a command: payments list, payments refund');
    expect(refusal('payments --id')).toBe(
      'payments needs a command: payments list, payments refund',
    );
    expect(refusal('payments refnd')).toBe(
      'unknown command "payments refnd"; did you mean payments refund?',
    );
    expect(refusal('risk burn-down')).toBe('unknown command "risk burn-down"; known: risk import');
    expect(refusal('paymets list')).toBe('unknown command "paymets"; did you mean payments?');
    expect(refusal('frobnicate')).toBe('unknown command "frobnicate"; "assay help" lists them all');
  });
});
