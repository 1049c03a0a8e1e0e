import { useState } from 'preact/hooks';
import { momentText } from '../format/time.ts';
import type { Line } from './line.ts';

/** The data of a chart as a table, newest first; rendered when opened. */
export function SeriesTable({
  label,
  times,
  lines,
  timeText = (seconds) => momentText(seconds * 1000),
}: {
  readonly label: string;
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly timeText?: ((seconds: number) => string) | undefined;
}) {
  const [open, setOpen] = useState(false);
  const indexes = open ? times.map((_, index) => times.length - 1 - index) : [];
  return (
    <details class="behind" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a section would add a landmark. */}
      <div class="wide tall" tabIndex={0} role="group" aria-label={`${label}: table`}>
        <table class="plain">
          <caption class="sr">{label}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {lines.map((line) => (
                <th key={line.label} scope="col" class="num">
                  {line.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {indexes.map((index) => (
              <tr key={times[index]}>
                <th scope="row">{timeText(times[index]!)}</th>
                {lines.map((line) => (
                  <td key={line.label} class="num">
                    {textOf(line, index)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function textOf(line: Line, index: number): string {
  const value = line.values[index] ?? null;
  return line.exact?.(index) ?? (value === null ? '–' : line.format(value));
}
