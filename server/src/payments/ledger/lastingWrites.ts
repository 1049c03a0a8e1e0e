/** Writes that must survive a temporary failure of the database: each is retried until it succeeds. */
export interface LastingWrites {
  /** Resolves when it is done or abandoned. */
  add(write: () => Promise<void>): Promise<void>;
  /** Tries pending writes once more, and abandons those that fail again. */
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export function createLastingWrites(deps: {
  readonly onError: (error: unknown) => void;
}): LastingWrites {
  const pending = new Set<Promise<void>>();
  /** Ends a pause. */
  const wake = new Set<() => void>();
  let closing = false;
  return { add, close };

  function add(write: () => Promise<void>): Promise<void> {
    const work = insist(write).finally(() => pending.delete(work));
    pending.add(work);
    return work;
  }

  async function insist(write: () => Promise<void>): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const last = closing;
      try {
        return await write();
      } catch (error) {
        // Reported once, and once more when abandoned.
        if (pause === FIRST_PAUSE_MS || last) deps.onError(error);
        if (last) return;
      }
      if (!closing) await sleep(pause);
    }
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, ms).unref();
      wake.add(end);

      function end(): void {
        clearTimeout(timer);
        wake.delete(end);
        resolve();
      }
    });
  }

  async function close(): Promise<void> {
    closing = true;
    for (const end of wake) end();
    await Promise.all(pending);
  }
}
