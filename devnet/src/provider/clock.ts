/** The provider's time in seconds: of its bucket, its days and months, its pauses. */
export interface ProviderClock {
  now(): number;
  sleep(seconds: number): Promise<void>;
}

/** Starts at the real time and runs `speed` times as fast. */
export function createProviderClock(speed: number): ProviderClock {
  const start = Date.now() / 1000;
  const began = performance.now();
  return {
    now: () => start + ((performance.now() - began) / 1000) * speed,
    sleep: (seconds) =>
      new Promise((resolve) => {
        setTimeout(resolve, (seconds * 1000) / speed).unref();
      }),
  };
}
