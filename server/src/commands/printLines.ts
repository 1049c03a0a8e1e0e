import type { CheckLine } from '../check/line.ts';

/** Prints one line per result. */
export function printLines(lines: readonly CheckLine[], print: (line: string) => void): void {
  for (const { ok, warning, text } of lines) {
    print(`${!ok ? 'FAIL' : warning ? 'warn' : 'ok  '} ${text}`);
  }
}
