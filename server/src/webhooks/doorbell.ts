/** Wakes a loop. A ring while the loop is busy counts for its next wait. */
export interface Doorbell {
  ring(): void;
  /** Resolves with the next ring, after `ms`, or when the signal aborts. */
  wait(signal: AbortSignal, ms?: number): Promise<void>;
}

export function createDoorbell(): Doorbell {
  let isRung = false;
  let open: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      open?.();
    },
    async wait(signal, ms) {
      if (!isRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', end);
            resolve();
          };
          const timer = ms === undefined ? undefined : setTimeout(end, ms);
          signal.addEventListener('abort', end);
          open = end;
        });
        open = undefined;
      }
      isRung = false;
    },
  };
}
