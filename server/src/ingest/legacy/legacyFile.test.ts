import { describe, expect, test } from 'vitest';
import { LegacyFileInvalid, parseApyFile, parseTvlFile } from './legacyFile.ts';

const now = 1_800_000_000;

function apy(text: string, percent = false) {
  return parseApyFile({ file: 'apy.json', text, now, percent });
}

function tvl(text: string, decimals: number | null = null) {
  return parseTvlFile({ file: 'tvl.csv', text, now, decimals });
}

function problems(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof LegacyFileInvalid) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('parseApyFile', () => {
  test('default', () => {
    const text = `[
      {"timestamp": "2024-01-31T12:00:00Z", "apy": 0.045},
      {"at": 1706000000, "value": "-0.01"}, {"date": 1706000060000, "value": 5e-2}
    ]`;
    expect(apy(text)).toEqual([
      { at: 1_706_000_000, value: -0.01 },
      { at: 1_706_000_060, value: 0.05 },
      { at: 1_706_702_400, value: 0.045 },
    ]);
  });

  test('behavior: percentages become exact fractions', () => {
    expect(apy('[{"at": 1706000000, "apy": 4.5}]', true)[0]?.value).toBe(0.045);
    expect(apy('[{"at": 1706000000, "apy": "0.07"}]', true)[0]?.value).toBe(0.0007);
  });

  test('behavior: CSV', () => {
    expect(apy('\uFEFFDate,APY\r\n2024-01-31,"0.045"\r\n')).toEqual([
      { at: 1_706_659_200, value: 0.045 },
    ]);
  });

  test('behavior: instants with an offset, a space, fractions of a second', () => {
    const times = ['2024-01-31T12:00:00+02:00', '2024-01-31 10:00:00Z', '2024-01-31T10:00:00.900Z'];
    for (const time of times) {
      expect(apy(JSON.stringify([{ time, value: 1 }]))[0]?.at).toBe(1_706_695_200);
    }
  });

  test('behavior: the same point twice is one', () => {
    expect(apy('[{"at": 1706000000, "apy": 0.1}, {"at": 1706000000.4, "apy": 0.10}]')).toHaveLength(
      1,
    );
  });

  test('behavior: an empty series', () => {
    expect(apy('[]')).toEqual([]);
    expect(apy('at,apy\n')).toEqual([]);
  });

  test('error: every bad row, and nothing else', () => {
    const rows = [
      { at: 1706000000, apy: 0.1 },
      { at: '2024-02-30', apy: 0.1 },
      { at: '2024-01-31T12:00:00', apy: 0.1 },
      { at: 'yesterday', apy: 0.1 },
      { at: 12, apy: 0.1 },
      { at: 1_900_000_000, apy: 0.1 },
      { apy: 0.1 },
      { at: 1706000001 },
      { at: 1706000002, apy: null },
      { at: 1706000003, apy: 'n/a' },
      { at: 1706000004, apy: -1 },
      { at: 1706000005, tvl: 3 },
      { at: 1706000000, apy: 0.2 },
      { at: 1706000006, apy: { a: 1 } },
      7,
      [1],
    ];
    expect(problems(() => apy(JSON.stringify(rows)))).toMatchInlineSnapshot(`
      [
        "apy.json: entry [1]: its time is "2024-02-30"; write ISO 8601 such as 2024-01-31T12:00:00Z, or Unix seconds",
        "apy.json: entry [2]: its time "2024-01-31T12:00:00" has no time zone; add Z for UTC",
        "apy.json: entry [3]: its time is "yesterday"; write ISO 8601 such as 2024-01-31T12:00:00Z, or Unix seconds",
        "apy.json: entry [4]: its time "12" is before 2015; correct it",
        "apy.json: entry [5]: its time "1900000000" is in the future; correct it",
        "apy.json: entry [6]: its time is missing; add it",
        "apy.json: entry [7]: its apy is missing; write a number",
        "apy.json: entry [8]: its apy is missing; write a number",
        "apy.json: entry [9]: its apy is "n/a"; write a number",
        "apy.json: entry [10]: -1 is no APY: it must be a number above -1 (-100 %)",
        "apy.json: entry [11]: its apy is missing; write a number",
        "apy.json: entry [12]: has the instant of entry [0] but another value; remove one of the two",
        "apy.json: entry [13]: its apy is "{\\"a\\":{\\"text\\":\\"1\\"}}"; write a number",
        "apy.json: entry [14]: is not an object; write {"at": …, "value": …}",
        "apy.json: entry [15]: is not an object; write {"at": …, "value": …}",
      ]
    `);
  });

  test('error: not a series at all', () => {
    const texts = [
      '',
      '  \n',
      '{',
      '{"data": []}',
      'hello',
      'at;apy\n1;2',
      'at,tvl\n',
      'at,apy\n"1',
    ];
    expect(texts.map((text) => problems(() => apy(text)))).toMatchInlineSnapshot(`
      [
        [
          "apy.json: the file is empty; name the file with the series",
        ],
        [
          "apy.json: the file is empty; name the file with the series",
        ],
        [
          "apy.json: the file is not valid JSON; export it again",
        ],
        [
          "apy.json: the file must hold a JSON array of objects",
        ],
        [
          "apy.json: line 1: the header row must name a column at or timestamp or date or time, and apy or value; columns are separated by commas",
        ],
        [
          "apy.json: line 1: the header row must name a column at or timestamp or date or time, and apy or value; columns are separated by commas",
        ],
        [
          "apy.json: line 1: the header row must name a column apy or value; columns are separated by commas",
        ],
        [
          "apy.json: line 2: a quote is opened and never closed; close it",
        ],
      ]
    `);
  });

  test('error: many bad rows are counted', () => {
    const lines = problems(() => apy(`at,apy\n${'x,1\n'.repeat(50)}`));
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('apy.json: and 30 more');
  });
});

describe('parseTvlFile', () => {
  test('default', () => {
    const text =
      'timestamp,tvl,usd\n1706000000,123456789012345678901234567890,1.5\n1706000060,0,\n';
    expect(tvl(text)).toEqual([
      { at: 1_706_000_000, value: 123456789012345678901234567890n, usd: 1.5 },
      { at: 1_706_000_060, value: 0n, usd: null },
    ]);
  });

  test('behavior: JSON numbers keep every digit', () => {
    const text = '[{"at": 1706000000, "tvl": 123456789012345678901, "usd": null}]';
    expect(tvl(text)[0]?.value).toBe(123456789012345678901n);
  });

  test('behavior: decimal amounts are scaled exactly', () => {
    const text =
      '[{"at": 1706000000, "tvl": "1234567890123.4567"}, {"at": 1706000001, "tvl": 1e3}]';
    expect(tvl(text, 18).map(({ value }) => value)).toEqual([
      1234567890123456700000000000000n,
      1000000000000000000000n,
    ]);
  });

  test('behavior: of two equal points the one with USD is kept', () => {
    const text = 'at,tvl,usd\n1706000000,5,\n1706000000,5,4.9\n1706000000,5,\n';
    expect(tvl(text)).toEqual([{ at: 1_706_000_000, value: 5n, usd: 4.9 }]);
  });

  test('error: every bad row', () => {
    const text = `at,tvl,usd
1706000000,1.5,
1706000001,-5,
1706000002,5,-1
1706000003,5
1706000004,5,x
1706000005,5,2
1706000005,5,3
1706000006,1e78,
`;
    expect(problems(() => tvl(text))).toMatchInlineSnapshot(`
      [
        "tvl.csv: line 2: 1.5 is not in whole base units; for decimal amounts add --decimals N",
        "tvl.csv: line 3: -5 is below zero; correct it",
        "tvl.csv: line 4: its usd is "-1"; write a number of 0 or more, or leave it empty",
        "tvl.csv: line 5: has 2 fields where the header has 3; correct it",
        "tvl.csv: line 6: its usd is "x"; write a number of 0 or more, or leave it empty",
        "tvl.csv: line 8: has the instant of line 7 but another value; remove one of the two",
        "tvl.csv: line 9: its tvl is "1e78"; write a number",
      ]
    `);
  });

  test('error: more digits than the asset has', () => {
    expect(problems(() => tvl('at,tvl\n1706000000,1.1234567\n', 6))).toEqual([
      'tvl.csv: line 2: 1.1234567 does not fit 6 decimals; correct it or --decimals',
    ]);
  });
});
