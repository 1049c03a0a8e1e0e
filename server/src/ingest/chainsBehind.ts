/** The chains that this process has not yet indexed up to their heads. */
export interface ChainsBehind {
  /** Resolves once every chain was at its head. */
  readonly caughtUp: Promise<void>;
  /** The chain is at its head. Returns whether it was behind before. */
  atHead(chainId: number): boolean;
}

export function createChainsBehind(chainIds: readonly number[]): ChainsBehind {
  const behind = new Set(chainIds);
  let resolveAll: () => void;
  const caughtUp = new Promise<void>((resolve) => {
    resolveAll = resolve;
    if (behind.size === 0) resolve();
  });
  return {
    caughtUp,
    atHead(chainId) {
      const wasBehind = behind.delete(chainId);
      if (wasBehind && behind.size === 0) resolveAll();
      return wasBehind;
    },
  };
}
