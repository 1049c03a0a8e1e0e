import type { Address, Hex } from '../hex.ts';
import type { LogPlace } from '../order.ts';

/** One log of a vault family, decoded by its kind, whatever the vault's own wording. */
export type VaultEvent = {
  readonly place: LogPlace;
  readonly txHash: Hex;
  /** Where it is not the family's own: a further one over the same share. */
  readonly vault?: Address;
} & (
  | {
      /** Of a claim in ERC-7540 too. `assets` null where they are of another asset than the family's. */
      readonly kind: 'deposit';
      readonly sender: Address;
      readonly owner: Address;
      readonly assets: bigint | null;
      readonly shares: bigint;
    }
  | {
      readonly kind: 'withdraw';
      readonly receiver: Address;
      readonly owner: Address;
      readonly assets: bigint | null;
      readonly shares: bigint;
    }
  | {
      /** A queued redemption; `assets` null where the event does not say. */
      readonly kind: 'redeem-request';
      readonly receiver: Address;
      readonly owner: Address;
      readonly assets: bigint | null;
      readonly shares: bigint;
      /** Where the vault numbers its requests. */
      readonly requestId?: bigint;
    }
  | {
      /** A queued redemption that was taken back: its shares return. */
      readonly kind: 'cancel';
      readonly receiver: Address;
      /** Whose request it was, where the event names both. */
      readonly controller?: Address;
      readonly assets: bigint | null;
      /** Null where the event does not say: those that leave custody. */
      readonly shares: bigint | null;
    }
  | {
      /** A queued deposit. */
      readonly kind: 'deposit-request';
      readonly controller: Address;
      readonly assets: bigint;
      readonly requestId?: bigint;
    }
  | {
      readonly kind: 'transfer';
      readonly from: Address;
      readonly to: Address;
      readonly shares: bigint;
      /** Made or burned for what it is worth, where no event says more. */
      readonly bought?: true;
      /** Made by an issuer or a bridge: without a deposit, its holder received it for what it is worth. */
      readonly worth?: true;
    }
  | {
      /** As the file describes an event: what it leaves out is told by the shares that move beside it. */
      readonly kind: 'flow';
      /** Its signature, as the file has it. */
      readonly event: string;
      readonly action: FlowAction;
      readonly contract: Address;
      readonly owner: Address | null;
      readonly receiver: Address | null;
      readonly shares: bigint | null;
      readonly assets: bigint | null;
      /** Of the shares, those that are taken as a fee. */
      readonly fee?: bigint;
      /** Set where what was paid is in another asset than the unit: the amount says nothing here. */
      readonly foreign?: true;
      /** The number of a request, or the first of a range. */
      readonly id: bigint | null;
      /** The last of a range; of a move the number that the request gets. */
      readonly idTo: bigint | null;
      /** The numbers of several requests, where the event lists them. */
      readonly ids?: readonly bigint[];
    }
  | { readonly kind: 'share-price'; readonly price: bigint }
  | ({ readonly kind: 'pool' } & PoolDeclaration)
  /** Whatever else a vault with a queue says: somebody's part of the queue may have changed. */
  | { readonly kind: 'other' }
);

export const FLOW_ACTIONS = [
  'deposit',
  'exit',
  'request',
  'cancel',
  'settle',
  'claim',
  'move',
] as const;
export type FlowAction = (typeof FLOW_ACTIONS)[number];

export type EventOf<Kind extends VaultEvent['kind']> = VaultEvent & { readonly kind: Kind };

export interface PoolDeclaration {
  readonly poolId: Hex;
  readonly offchainId: string;
  readonly venue: Address;
  readonly venueKind: VenueKind;
  readonly idleOnly: boolean;
  readonly status: PoolStatus;
  readonly riskScore: number;
  readonly epoch: number;
}

export const VENUE = { plain: 1, exitQueue: 2, rewards: 3 } as const;
export type VenueKind = number;

export const POOL_STATUS = { removed: 0, active: 1, exitOnly: 2 } as const;
export type PoolStatus = number;

/** Declarations in force at a block: the highest epoch of each pool, the later log among equals. */
export function poolsInForce(
  declared: readonly { place: LogPlace; pool: PoolDeclaration }[],
  block: number,
): PoolDeclaration[] {
  const newest = new Map<Hex, PoolDeclaration>();
  for (const { place, pool } of declared) {
    if (place.blockNumber > block) continue;
    const held = newest.get(pool.poolId);
    if (held === undefined || pool.epoch >= held.epoch) newest.set(pool.poolId, pool);
  }
  return [...newest.values()].filter((pool) => pool.status !== POOL_STATUS.removed);
}
