import type { Progress } from './progress.ts';
import type { ChainProgress } from './progressText.ts';

/** The progress in a chain's status. */
interface Status {
  readonly chainId: number;
  readonly name: string;
  readonly state: ChainProgress['state'];
  readonly indexedBlock: number | null;
  readonly head: number | null;
  readonly lastError: { readonly message: string } | null;
}

const EVERY_MS = 500;

/** Draws the progress of the chains until it is stopped. If the store is busy, a frame is skipped. */
export function watchProgress(
  getStatuses: () => Promise<readonly Status[]>,
  progress: Progress,
): { stop(): void } {
  const first = new Map<number, number>();
  const timer = setInterval(draw, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      progress.end();
    },
  };

  async function draw(): Promise<void> {
    const statuses = await getStatuses().catch(() => []);
    progress.update(
      statuses.map(({ chainId, name, state, indexedBlock, head, lastError }) => {
        if (indexedBlock !== null && !first.has(chainId)) first.set(chainId, indexedBlock);
        const startBlock = first.get(chainId) ?? null;
        const error = lastError?.message ?? null;
        return { chainId, name, state, startBlock, indexedBlock, targetBlock: head, error };
      }),
    );
  }
}
