import { describe, expect, test } from 'vitest';
import { type Column, chainColumns, fileOf } from './table.tsx';

interface Row {
  readonly name: string;
  readonly chainId: number | null;
  readonly value: string | null;
  readonly symbol: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', label: 'Name', value: ({ name }) => name, render: ({ name }) => name },
  ...chainColumns<Row>(
    ({ chainId }) => chainId,
    (chainId) => (chainId === 1 ? 'ethereum' : `chain ${chainId}`),
  ),
  {
    key: 'value',
    label: 'Value (USDC)',
    fileLabel: 'Value',
    value: ({ value }) => value,
    unit: ({ symbol }) => symbol,
    render: ({ value }) => value,
  },
  { key: 'spark', label: 'Trend', render: () => null },
];

describe('fileOf', () => {
  test('default: each value followed by its unit, and the chain', () => {
    const row = { name: 'a', chainId: 1, value: '1.5', symbol: 'USDC' };
    const { head, rows } = fileOf(COLUMNS, [row]);
    expect(head).toEqual(['Name', 'Chain', 'Chain id', 'Value', 'Value unit']);
    expect(rows()).toEqual([['a', 'ethereum', 1, '1.5', 'USDC']]);
  });

  test('behavior: unknown values and missing chains are empty', () => {
    const row = { name: 'a', chainId: null, value: null, symbol: 'USDC' };
    expect(fileOf(COLUMNS, [row]).rows()).toEqual([['a', null, null, null, 'USDC']]);
  });
});
