import { describe, expect, test } from 'vitest';
import { renderTable } from './table.ts';

describe('renderTable', () => {
  test('default', () => {
    const text = renderTable([
      { figure: 'backfill', asked: '≥ 20×', measured: '31.0×', pass: true },
      { figure: 'memory', asked: '≤ 250 MB', measured: '260 MB', pass: false },
    ]);
    expect(text).toBe(
      [
        'figure    asked     measured',
        'backfill  ≥ 20×     31.0×     pass',
        'memory    ≤ 250 MB  260 MB    short',
      ].join('\n'),
    );
  });
});
