import { momentText } from '../format/time.ts';
import type { Line } from './line.ts';
import { type Mark, marksAt } from './marks.ts';

export interface Read {
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly marks: readonly Mark[];
  readonly timeText?: ((seconds: number) => string) | undefined;
}

/** Returns the newest time with a value. */
export function lastIndex({ times, lines }: Pick<Read, 'times' | 'lines'>): number {
  const found = times.findLastIndex((_, index) =>
    lines.some(({ values }) => (values[index] ?? null) !== null),
  );
  return found === -1 ? times.length - 1 : found;
}

/** Writes to the DOM directly, because the crosshair moves 60 times per second. */
export function writeReadout(
  output: HTMLElement,
  { times, lines, marks, timeText = (seconds) => momentText(seconds * 1000) }: Read,
  { index, near, colors }: { index: number; near: number; colors: number },
): void {
  const time = times[index];
  if (time === undefined) {
    output.replaceChildren();
    return;
  }
  const parts = lines.map((line, place) => {
    const value = line.values[index] ?? null;
    const name = lines.length > 1 ? `${line.label} ` : '';
    return element('span', `key series-${(place % colors) + 1}`, [
      name,
      element('b', '', [value === null ? '–' : line.format(value)]),
    ]);
  });
  const notes = marksAt(marks, time, near).map(({ text }) => text);
  output.replaceChildren(
    ...parts,
    element('span', 'when', [timeText(time)]),
    ...(notes.length === 0 ? [] : [element('span', 'note', [notes.join('; ')])]),
  );
}

function element(name: string, look: string, children: (string | Node)[]): HTMLElement {
  const made = document.createElement(name);
  if (look !== '') made.className = look;
  made.append(...children);
  return made;
}
