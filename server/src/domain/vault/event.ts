import type { Address, Hex } from '../hex.ts';
import type { LogPlace } from '../order.ts';

/** One log of a vault family, decoded independently of the vault's event names. */
export type VaultEvent = {
  readonly place: LogPlace;
  readonly txHash: Hex;
  /** Set for an additional vault over the same share. */
  readonly vault?: Address;
} & (
  | {
      /** Also a claim in ERC-7540. `assets` is null if they are of another asset than the family's. */
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
      /** A queued redemption; `assets` is null if the event does not contain them. */
      readonly kind: 'redeem-request';
      readonly receiver: Address;
      readonly owner: Address;
      readonly assets: bigint | null;
      readonly shares: bigint;
      /** Set if the vault numbers its requests. */
      readonly requestId?: bigint;
    }
  | {
      /** A cancelled redemption: its shares return. */
      readonly kind: 'cancel';
      readonly receiver: Address;
      /** The owner of the request, if the event names both. */
      readonly controller?: Address;
      readonly assets: bigint | null;
      /** Null if the event does not contain them: the shares that leave custody count. */
      readonly shares: bigint | null;
    }
  | {
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
      /** Minted or burned at their value, unless another event has an amount. */
      readonly bought?: true;
      /** Made by an issuer or a bridge: without a deposit, its holder received it for what it is worth. */
      readonly worth?: true;
    }
  | {
      /** An event described in the configuration. Values that it lacks come from the share transfers next to it. */
      readonly kind: 'flow';
      /** Its signature, as configured. */
      readonly event: string;
      readonly action: FlowAction;
      readonly contract: Address;
      readonly owner: Address | null;
      readonly receiver: Address | null;
      readonly shares: bigint | null;
      readonly assets: bigint | null;
      /** The part of the shares that is taken as a fee. */
      readonly fee?: bigint;
      /** Set if the payment is in another asset than the unit, so that the amount does not count. */
      readonly foreign?: true;
      /** The id of a request, or the first of a range. */
      readonly id: bigint | null;
      /** The last id of a range; for a move, the new id of the request. */
      readonly idTo: bigint | null;
      /** The ids of several requests, if the event lists them. */
      readonly ids?: readonly bigint[];
    }
  | { readonly kind: 'share-price'; readonly price: bigint }
  | ({ readonly kind: 'pool' } & PoolDeclaration)
  /** Any other event of a vault with a queue: a wallet's place in the queue may have changed. */
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

/** Returns the declarations in force at a block: the highest epoch of each pool, and the later log among equals. */
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
