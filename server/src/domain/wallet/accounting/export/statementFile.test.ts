import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '../../../decimalText.ts';
import { openTimeZone } from '../../../timeZone.ts';
import { MOVE_TYPES } from '../moveType.ts';
import type { ExportedEntry, ExportedFamily } from './exported.ts';
import { STATEMENT_FORMATS, statementFile } from './statementFile.ts';

const zurich = openTimeZone('Europe/Zurich')!;

function entry(fields: Partial<ExportedEntry>): ExportedEntry {
  return {
    at: '2026-01-31T23:55:00.000Z',
    chainId: 1,
    type: 'deposit',
    shares: '1000000000000000001',
    assets: '2500000',
    cost: '2500000',
    realized: null,
    usd: 2.5,
    transactionHash: null,
    ...fields,
  };
}

function family(entries: ExportedEntry[], fields: Partial<ExportedFamily> = {}): ExportedFamily {
  return {
    ...{ family: 'svcusd', baseAssetSymbol: 'USDC', baseAssetDecimals: 6 },
    ...{ shareSymbol: 'svcUSD', shareDecimals: 18, entries },
    ...fields,
  };
}

const ALL = [
  family([
    entry({ transactionHash: '0xaa' }),
    entry({ type: 'received', usd: null }),
    entry({ type: 'reward', assets: '0', cost: '0', usd: null }),
    entry({ type: 'sent', assets: '0', cost: '-2500000', usd: null }),
    entry({ type: 'fee', assets: '0', cost: '-100000', realized: '-100000' }),
    entry({ type: 'exit', assets: '2600000', cost: '-2400000', realized: '200000' }),
  ]),
];

describe('statementFile', () => {
  test.each(STATEMENT_FORMATS)('default: %s', (format) => {
    expect(statementFile(ALL, format, zurich).replaceAll('\r\n', '\n')).toMatchSnapshot();
  });

  test.each(STATEMENT_FORMATS)('behavior: %s never starts a cell with a formula', (format) => {
    const hostile = family(ALL[0]!.entries as ExportedEntry[], {
      shareSymbol: '=HYPERLINK("http://x","y")',
      baseAssetSymbol: '\t@SUM(1,2)',
      family: '+1',
    });
    for (const cell of cellsOf(statementFile([hostile], format, zurich)).flat()) {
      expect(cell).not.toMatch(/^[=+@\t\r-]/);
    }
  });

  test('behavior: in a journal debits equal credits, in each entry and currency', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
    const one = fc
      .record({
        type: fc.constantFrom(...MOVE_TYPES),
        shares: amount,
        assets: amount,
        cost: amount,
        decimals: fc.nat(18),
      })
      .map(({ type, shares, assets, cost, decimals }) => {
        const isIn = type === 'deposit' || type === 'received';
        const isFree = type === 'reward' || type === 'fee' || type === 'sent';
        const fields = {
          type,
          shares: `${shares}`,
          assets: isFree ? '0' : `${assets}`,
          cost: type === 'reward' ? '0' : isIn ? `${assets}` : `${-cost}`,
        };
        return family([entry(fields)], { baseAssetDecimals: decimals });
      });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), (families) => {
        const [, ...rows] = cellsOf(statementFile(families, 'journal', zurich));
        const sums = new Map<string, bigint>();
        for (const [, number, , debit, credit, currency] of rows) {
          const key = `${number} ${currency}`;
          sums.set(key, (sums.get(key) ?? 0n) + exact(debit!) - exact(credit!));
        }
        expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

/** Converts to units of 10^-18. */
function exact(text: string): bigint {
  const { value, decimals } = parseDecimal(text === '' ? '0' : text)!;
  return value * 10n ** BigInt(18 - decimals);
}

function cellsOf(csv: string): string[][] {
  return csv
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare!,
      ),
    );
}
