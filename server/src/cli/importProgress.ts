import type { TextStream } from './progress.ts';

/** The progress of an import; `total` is null while unknown. */
export interface ImportStep {
  readonly source: string;
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
}

export interface ImportBar {
  update(step: ImportStep): void;
  /** Clears the bar. */
  clear(): void;
}

const FRAME_INTERVAL_MS = 100;
const WIDTH = 30;

/**
 * Draws one bar in place on a terminal; elsewhere nothing, because the report follows anyway. `now` in milliseconds.
 */
export function createImportBar(deps: {
  readonly stream: TextStream;
  readonly now: () => number;
}): ImportBar {
  const { stream, now } = deps;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let last = '';
  return {
    update(step) {
      if (!stream.isTTY) return;
      const place = `${step.source} ${step.phase}`;
      const finished = step.done === step.total;
      if (place === last && !finished && now() - drawnAt < FRAME_INTERVAL_MS) return;
      last = place;
      drawnAt = now();
      stream.write(`\r\x1b[K${render(step).slice(0, (stream.columns ?? 80) - 1)}`);
    },
    clear() {
      if (stream.isTTY) stream.write('\r\x1b[K');
    },
  };
}

function render({ source, phase, done, total }: ImportStep): string {
  if (total === null) return `${source}  ${phase} ${done}`;
  const fraction = total === 0 ? 1 : Math.min(1, done / total);
  const bar = '='.repeat(Math.floor(fraction * WIDTH)).padEnd(WIDTH);
  return `${source}  [${bar}]  ${phase} ${done} of ${total}`;
}
