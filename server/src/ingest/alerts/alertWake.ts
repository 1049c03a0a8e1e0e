/** Families whose alerts are to be evaluated, collected from the commits of one chain. */
export interface AlertWake {
  touch(familyIds: readonly number[]): void;
  /** Returns the families that were touched since the last call. */
  take(): number[];
  /** Resolves when a family is touched, after `ms`, or with the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createAlertWake(): AlertWake {
  let touched = new Set<number>();
  let wake: (() => void) | undefined;
  return {
    touch(familyIds) {
      for (const id of familyIds) touched.add(id);
      if (touched.size > 0) wake?.();
    },
    take() {
      const taken = [...touched];
      touched = new Set();
      return taken;
    },
    wait(ms, signal) {
      if (touched.size > 0 || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', done, { once: true });
        wake = done;

        function done(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          wake = undefined;
          resolve();
        }
      });
    },
  };
}
