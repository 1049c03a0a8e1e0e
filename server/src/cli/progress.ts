import { type ChainProgress, type ProgressLine, renderBars, renderLine } from './progressText.ts';

/** What of a stream is needed; process.stderr is one. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export interface Progress {
  /** The state of every chain; call it as often as it changes. */
  update(chains: readonly ChainProgress[]): void;
  /** Writes a line of something else so that the bars stay below it. */
  print(line: string): void;
  /** Leaves the last state on the screen and writes no more. */
  end(): void;
}

/** A file or a pipe gets a line per chain at most this often, unless the state changes. */
const LINE_INTERVAL_MS = 5_000;
/** A terminal is redrawn at most this often: more only flickers. */
const FRAME_INTERVAL_MS = 100;

/** Progress of the chains: bars redrawn in place on a terminal, plain lines elsewhere. `now` in milliseconds. */
export function createProgress(deps: { stream: TextStream; now: () => number }): Progress {
  const estimate = createEstimate(deps.now);
  const write = (text: string) => void deps.stream.write(text);
  const view = deps.stream.isTTY ? createBars(deps, write) : createLines(deps, write);
  let ended = false;
  return {
    update(chains) {
      if (!ended) view.update(chains.map(estimate));
    },
    print: view.print,
    end() {
      if (!ended) view.end();
      ended = true;
    },
  };
}

interface View {
  update(chains: readonly ProgressLine[]): void;
  print(line: string): void;
  end(): void;
}

function createBars(
  deps: { stream: TextStream; now: () => number },
  write: (text: string) => void,
): View {
  let drawn = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let latest: readonly ProgressLine[] = [];
  let states = '';

  function erase(): string {
    return drawn === 0 ? '' : `\x1b[${drawn}A\x1b[0J`;
  }

  function draw(above = ''): void {
    // The last column stays free: some terminals wrap on it.
    const columns = (deps.stream.columns ?? 80) - 1;
    const lines = renderBars(latest, { columns, rows: deps.stream.rows ?? 24 });
    write(`${erase()}${above}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines.length;
    drawnAt = deps.now();
  }

  return {
    update(chains) {
      latest = chains;
      const now = chains.map((chain) => chain.state).join();
      if (now === states && deps.now() - drawnAt < FRAME_INTERVAL_MS) return;
      states = now;
      draw();
    },
    print: (line) => (drawn === 0 ? write(`${line}\n`) : draw(`${line}\n`)),
    end() {
      if (latest.length > 0) draw();
      drawn = 0;
    },
  };
}

function createLines(deps: { now: () => number }, write: (text: string) => void): View {
  const last = new Map<number, { at: number; state: string; text: string }>();
  return {
    update(chains) {
      for (const chain of chains) {
        const text = renderLine(chain);
        const previous = last.get(chain.chainId);
        if (previous?.state === chain.state) {
          const soon = deps.now() - previous.at < LINE_INTERVAL_MS;
          // A chain that is live says so once; its blocks are in the status and the metrics.
          if (soon || chain.state !== 'syncing' || previous.text === text) continue;
        }
        last.set(chain.chainId, { at: deps.now(), state: chain.state, text });
        write(`${text}\n`);
      }
    },
    print: (line) => write(`${line}\n`),
    end: () => {},
  };
}

/** Time left from the pace since a chain was first seen syncing. */
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
