import { type ChainProgress, type ProgressLine, renderBars } from './progressText.ts';

/** The used part of a stream such as process.stderr. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export interface Progress {
  /** Shows the state of every chain; call it on every change. */
  update(chains: readonly ChainProgress[]): void;
  /** Writes a log line above the bars. */
  print(line: string): void;
  /** Leaves the last state on the screen and stops drawing. */
  end(): void;
}

/** Redraw interval: more often only flickers. */
const FRAME_INTERVAL_MS = 100;

export interface ProgressDeps {
  /** Shows bars only in a terminal; elsewhere the log has the progress. */
  readonly stream: TextStream;
  /** Where log lines are written. */
  readonly output: TextStream;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Shows the progress of the chains as bars that are redrawn in place. */
export function createProgress(deps: ProgressDeps): Progress {
  const { stream, output, now } = deps;
  const estimate = createEstimate(now);
  let drawn = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let latest: readonly ProgressLine[] = [];
  let states = '';
  let ended = false;

  function erase(): string {
    return drawn === 0 ? '' : `\x1b[${drawn}A\x1b[0J`;
  }

  function draw(erased = erase()): void {
    // The last column stays empty: some terminals wrap there.
    const columns = (stream.columns ?? 80) - 1;
    const lines = renderBars(latest, { columns, rows: stream.rows ?? 24 });
    stream.write(`${erased}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines.length;
    drawnAt = now();
  }

  return {
    update(chains) {
      if (ended || !stream.isTTY) return;
      latest = chains.map(estimate);
      const current = chains.map((chain) => chain.state).join();
      if (current === states && now() - drawnAt < FRAME_INTERVAL_MS) return;
      states = current;
      draw();
    },
    print(line) {
      // Log lines interfere with the bars only on the same terminal.
      const shared = drawn > 0 && output.isTTY;
      if (shared) stream.write(erase());
      output.write(`${line}\n`);
      if (shared) draw('');
    },
    end() {
      if (!ended && latest.length > 0) draw();
      ended = true;
      drawn = 0;
    },
  };
}

/** Estimates the time left from the rate since a chain was first seen syncing. */
function createEstimate(now: () => number): (chain: ChainProgress) => ProgressLine {
  const first = new Map<number, { at: number; block: number }>();
  return (chain) => {
    const { chainId, indexedBlock, targetBlock } = chain;
    if (chain.state !== 'syncing' || indexedBlock === null || targetBlock === null) {
      return { ...chain, secondsLeft: null };
    }
    const start = first.get(chainId);
    if (start === undefined || indexedBlock < start.block) {
      first.set(chainId, { at: now(), block: indexedBlock });
      return { ...chain, secondsLeft: null };
    }
    const pace = (indexedBlock - start.block) / ((now() - start.at) / 1000);
    const secondsLeft = pace > 0 ? Math.max(0, targetBlock - indexedBlock) / pace : null;
    return { ...chain, secondsLeft: Number.isFinite(secondsLeft) ? secondsLeft : null };
  };
}
