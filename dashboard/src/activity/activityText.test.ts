import { describe, expect, test } from 'vitest';
import { alertKindText, alertValueText } from './alertText.ts';
import { changeKindText, eventText, fieldText } from './governanceText.ts';

describe('alerts', () => {
  test('default: values have their unit', () => {
    const usdc = { decimals: 6, symbol: 'USDC' };
    expect(alertValueText('0.5200', 'percent', null)).toMatch(/^0[.,]52%$/);
    expect(alertValueText('7200', 'seconds', null)).toBe('2 h');
    expect(alertValueText('3', 'count', null)).toBe('3');
    expect(alertValueText('2500000', 'base-units', usdc)).toMatch(/^2[.,]5 USDC$/);
    expect(alertKindText('large-exit')).toBe('largest redemption');
  });

  test('behavior: an amount of an unknown asset is not converted', () => {
    expect(alertValueText('2500000', 'base-units', null)).toBe('2500000 base units');
  });
});

describe('governance', () => {
  test.each([
    ['OwnershipTransferStarted', 'Ownership transfer started'],
    ['SetFee', 'Set fee'],
    ['RoleGranted', 'Role granted'],
    ['SetLTV', 'Set LTV'],
    ['Paused', 'Paused'],
  ])('default: %s', (event, text) => {
    expect(eventText(event)).toBe(text);
  });

  test('default: fields are shortened, and the default admin has its name', () => {
    const zero = `0x${'0'.repeat(64)}`;
    expect(fieldText(`0x${'ab'.repeat(20)}`, 'SetOwner')).toBe('0xabab…abab');
    expect(fieldText(zero, 'RoleGranted')).toBe('default admin');
    expect(fieldText(zero, 'SetCap')).toBe('0x0000…0000');
    expect(fieldText('1500', 'SetFee')).toBe('1500');
    expect(changeKindText('cap')).toBe('limit');
  });
});
