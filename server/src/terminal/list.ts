import type { Screen } from './screen.ts';
import { pad, plain, widthOf, wrap } from './text.ts';

/** Names with their values beside them, or below where names are long and the screen is narrow. */
export function renderList(
  rows: readonly (readonly [name: string, value: string])[],
  { columns, style }: Pick<Screen, 'columns' | 'style'>,
): string[] {
  const width = Math.max(...rows.map(([name]) => widthOf(plain(name))));
  if (columns !== null && width > columns / 3) return stacked(rows, columns, style);
  const room = columns === null ? Infinity : columns - width - 4;
  return rows.flatMap(([name, value]) => {
    const lines = wrap(plain(value), room);
    return (lines.length === 0 ? [''] : lines).map((line, i) =>
      `  ${style.dim(pad(i === 0 ? plain(name) : '', width))}  ${line}`.trimEnd(),
    );
  });
}

function stacked(
  rows: readonly (readonly [name: string, value: string])[],
  columns: number,
  style: Screen['style'],
): string[] {
  return rows.flatMap(([name, value]) => [
    ...wrap(plain(name), columns - 2).map((line) => `  ${style.dim(line)}`),
    ...wrap(plain(value), columns - 4).map((line) => `    ${line}`),
  ]);
}
