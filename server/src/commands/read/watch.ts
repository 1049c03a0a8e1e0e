import { setTimeout as sleep } from 'node:timers/promises';
import { screenOf } from '../../terminal/screen.ts';
import { timeText } from '../../terminal/times.ts';
import type { Terminal } from '../command.ts';
import { endSignal } from './endSignal.ts';
import { EXIT } from './exitCodes.ts';
import type { ReadFailure } from './failures.ts';
import { type Forms, jsonText, type Printing, selectedLines } from './forms.ts';

export interface Watched extends Printing {
  readonly seconds: number;
  readonly terminal: Terminal;
  ask(): Promise<Forms>;
  /** Rethrows errors of neither the server nor the path. */
  explain(error: unknown): Promise<ReadFailure>;
}

/** Reads until SIGINT or SIGTERM: redraws a table in a terminal, and prints a record per change elsewhere. */
export async function watchForms(options: Watched): Promise<number> {
  const { seconds, terminal, ask, explain } = options;
  const isDrawn =
    options.form === 'table' && options.select === undefined && terminal.output.isTTY === true;
  const show = isDrawn ? createDrawing(seconds, terminal) : createRecords(options);
  const ended = endSignal();
  let hasShown = false;
  let lastFailure: string | undefined;
  for (;;) {
    try {
      const forms = await Promise.race([ask(), ended.promise]);
      if (forms === undefined) return EXIT.done;
      show(forms);
      hasShown = true;
      lastFailure = undefined;
    } catch (error) {
      const { text, exitCode } = await explain(error);
      // Retry only a server that responded before.
      const advice = hasShown ? `; retrying every ${seconds} s` : '';
      if (text !== lastFailure) terminal.errors.write(`assay: ${text}${advice}\n`);
      if (!hasShown) return exitCode;
      lastFailure = text;
    }
    if (await pauseEnded(seconds, ended.signal)) return EXIT.done;
  }
}

/** Overwrites line by line: clearing the screen first flickers. */
function createDrawing(seconds: number, terminal: Terminal): (forms: Forms) => void {
  let isFirst = true;
  return (forms) => {
    const screen = screenOf(terminal.output, terminal.env);
    const now = timeText(Date.now() / 1000);
    const lines = [
      ...forms.show(screen).slice(0, Math.max(1, (screen.rows ?? Infinity) - 3)),
      '',
      screen.style.dim(`${now} UTC, every ${seconds} s; stop with Ctrl+C`),
    ];
    const start = isFirst ? '\x1b[2J\x1b[H' : '\x1b[H';
    isFirst = false;
    terminal.output.write(`${start}${lines.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J`);
  };
}

function createRecords({ form, select, terminal }: Watched): (forms: Forms) => void {
  let last: readonly string[] = [];
  return (forms) => {
    const lines = select
      ? selectedLines(forms.json(), select, form)
      : form === 'csv'
        ? forms.csv()
        : [jsonText(forms.json())];
    // Print only the changed rows of a table; print anything else completely.
    const isRows = form === 'csv' && select === undefined;
    const before = new Set(last);
    const changed = isRows
      ? lines.filter((line) => !before.has(line))
      : lines.join('\n') === last.join('\n')
        ? []
        : lines;
    last = lines;
    if (changed.length > 0) terminal.print(changed.join('\n'));
  };
}

async function pauseEnded(seconds: number, signal: AbortSignal): Promise<boolean> {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
  return signal.aborted;
}
