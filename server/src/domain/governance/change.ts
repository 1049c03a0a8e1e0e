import type { Address, Hex } from '../hex.ts';
import type { LogPlace } from '../order.ts';

/** What a change of a contract's governance is about. */
export const CHANGE_KINDS = [
  ...(['owner', 'role', 'curator', 'cap', 'fee', 'oracle', 'pause', 'timelock'] as const),
  ...(['upgrade', 'allocation', 'access', 'other'] as const),
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A change that an event of a family's contract reports. */
export interface GovernanceChange {
  readonly place: LogPlace;
  readonly txHash: Hex;
  /** The contract that emitted the event. */
  readonly contract: Address;
  readonly kind: ChangeKind;
  /** Name of the event. */
  readonly event: string;
  /** What the change applies to, such as a role, a market, or an account; null if the event names nothing. */
  readonly subject: string | null;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  /** Unix seconds from which a scheduled change can be executed; null if the event has none. */
  readonly effectiveAt: number | null;
}
