/** A row of the output: the target and the measured value. */
export interface Figure {
  readonly figure: string;
  readonly asked: string;
  readonly measured: string;
  /** Null if there is no target. */
  readonly pass: boolean | null;
}

/** Formats the rows as aligned text. */
export function renderTable(figures: readonly Figure[]): string {
  const rows = [
    ['figure', 'asked', 'measured', ''],
    ...figures.map(({ figure, asked, measured, pass }) => [
      figure,
      asked,
      measured,
      pass === null ? '' : pass ? 'pass' : 'short',
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

export function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}×`;
}
