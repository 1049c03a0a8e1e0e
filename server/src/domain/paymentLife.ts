/** State of a payment; the numbers are stored in the ledger. */
export const PAYMENT_STATE = {
  /** A request uses its nonce; nothing was broadcast. */
  claimed: 1,
  /** Its response is stored. From here on it may be broadcast, and then it is public. */
  settling: 2,
  settled: 3,
  /** Not charged; can be used again for the same request. */
  released: 4,
  /** It is not known whether it was charged. */
  unknown: 5,
  /** Served, but not paid. */
  lost: 6,
  /** Paid on chain before this ledger had it. It may have been served already, so it is refunded instead of served. */
  found: 7,
} as const;
export type PaymentState = keyof typeof PAYMENT_STATE;

/** Groups of states for queries. */
export const PAYMENT_STATES = {
  /** Need to be resolved. */
  open: ['claimed', 'settling', 'unknown'],
  /** May be on chain, not confirmed yet. */
  doubtful: ['settling', 'unknown'],
  /** Resolved by on-chain state, which a reorg can still revert. */
  watched: ['settled', 'lost'],
  /** Can be claimed by any request. */
  free: ['released'],
  /** Have a stored response that can be returned. */
  answered: ['settling', 'settled', 'unknown'],
  /** Their delivery can still be recorded, even after they were resolved. */
  deliverable: ['settling', 'settled', 'released', 'unknown', 'lost', 'found'],
  /** Block their identifier for other payments. */
  named: ['claimed', 'settling', 'settled', 'unknown'],
  /** Resolved: their responses are stored for a limited time. */
  ended: ['settled', 'released', 'lost'],
  charged: ['settled'],
  lost: ['lost'],
  found: ['found'],
  refundable: ['settled', 'found'],
  /** Their on-chain status is stored, and only a later on-chain status changes it. */
  known: ['settled', 'lost'],
} as const satisfies Readonly<Record<string, readonly PaymentState[]>>;
export type PaymentStates = keyof typeof PAYMENT_STATES;

/** All state transitions. A state that was read from the chain only changes by a later read. */
export const PAYMENT_STEPS = {
  /** Released, or abandoned by a process that ended before anything was broadcast. */
  claimAgain: { from: ['claimed', 'released'], to: 'claimed' },
  keepAnswer: { from: ['claimed'], to: 'settling' },
  /** The chain has the payment, regardless of the stored state. */
  settle: { from: ['claimed', 'settling', 'released', 'unknown'], to: 'settled' },
  /** The chain has the payment from before it was claimed. */
  find: { from: ['claimed', 'settling', 'released', 'unknown'], to: 'found' },
  /** Nothing was broadcast, according to its process or because that process is gone. */
  release: { from: ['claimed'], to: 'released' },
  /** The only attempt failed before it reached an RPC endpoint. */
  releaseUnsent: { from: ['settling'], to: 'released' },
  /** On chain, it was not charged and no longer can be. */
  releaseUnpaid: { from: ['settling', 'unknown'], to: 'released' },
  /** The same, after its response was delivered. */
  loseUnpaid: { from: ['settling', 'unknown'], to: 'lost' },
  /** Its response was delivered, which was recorded only after the release. */
  loseReleased: { from: ['released'], to: 'lost' },
  doubt: { from: ['settling', 'unknown'], to: 'unknown' },
  /** A reorg reverted the charge permanently. */
  lose: { from: ['settled'], to: 'lost' },
  /** Another reorg restored the charge. */
  revive: { from: ['lost'], to: 'settled' },
} as const satisfies Readonly<
  Record<string, { readonly from: readonly PaymentState[]; readonly to: PaymentState }>
>;
export type PaymentStep = keyof typeof PAYMENT_STEPS;
