import type { QueueVault } from '../../chain/pendingRedeems.ts';
import type { FamilyConfig } from '../../config/config.ts';

export type QueueKind = QueueVault['queue'];

/** How a family queues redemptions; null for one that pays at once. */
export function redemptionQueueOf({ adapter }: FamilyConfig): QueueKind | null {
  return adapter === 'erc4626' ? null : adapter;
}

/** How a family queues deposits; null for one that gives shares at once. */
export function depositQueueOf({ adapter }: FamilyConfig): 'erc7540' | null {
  return adapter === 'erc7540' ? adapter : null;
}
