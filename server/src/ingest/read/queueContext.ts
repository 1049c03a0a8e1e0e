import type { FlowTrust } from '../../domain/vault/flowTrust.ts';
import type { QueueContext } from '../../domain/vault/interpret.ts';
import { createRequestBook, type RedeemRequest } from '../../domain/vault/requestBook.ts';
import { createTransferBook } from '../../domain/wallet/transferBook.ts';
import type { VaultKind } from '../../vaults/kind.ts';
import type { KeptAnswer, QueueWatch } from './queueWatch.ts';

/** Returns what determines the owners of shares in custody, for the results that were read at the blocks of a range. */
export function createQueueContext(
  { queue }: VaultKind,
  watch: QueueWatch,
  open: readonly RedeemRequest[],
  trust: FlowTrust,
): (answers: ReadonlyMap<number, KeptAnswer>) => QueueContext {
  if (queue === 'events') return () => ({ by: 'events' });
  if (queue === 'calls') {
    return (answers) => ({
      by: 'calls',
      held: watch.held,
      at: (block) => answers.get(block)?.queues,
    });
  }
  if (queue === 'requests') {
    const requests = createRequestBook(open);
    return () => ({ by: 'requests', requests, trust });
  }
  const book = createTransferBook(
    new Map([...watch.held].map(([wallet, { pendingRedeem }]) => [wallet, pendingRedeem])),
  );
  return () => ({ by: 'transfers', book });
}
