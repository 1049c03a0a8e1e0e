import type { TextStream } from './progress.ts';

/** How far an import is; `total` is null while unknown. */
export interface ImportStep {
  readonly source: string;
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
}

export interface ImportBar {
  update(step: ImportStep): void;
  /** Takes the bar off the screen. */
  clear(): void;
}

const FRAME_INTERVAL_MS = 100;
const WIDTH = 30;

/** One bar, redrawn in place on a terminal; elsewhere nothing, as the report follows anyway. `now` in milliseconds. */
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
