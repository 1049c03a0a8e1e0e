/** Where a payment stands; the numbers are what the ledger's rows hold. */
export const PAYMENT_STATE = {
  /** A request has its nonce; nothing was broadcast. */
  claimed: 1,
  /** Its answer is kept: from here on it may be broadcast, and then it is public. */
  settling: 2,
  settled: 3,
  /** It came to nothing, and may be used again for the same request. */
  released: 4,
  /** Nobody knows whether it was charged. */
  unknown: 5,
  /** Served, and not paid after all. */
  lost: 6,
  /** Paid on chain before this ledger took it up: it may have been served, so it is refunded instead of served. */
  found: 7,
} as const;
export type PaymentState = keyof typeof PAYMENT_STATE;

/** States that are asked for together. */
export const PAYMENT_STATES = {
  /** Somebody has to bring them to an end. */
  open: ['claimed', 'settling', 'unknown'],
  /** May be on chain, and nothing says so yet. */
  doubtful: ['settling', 'unknown'],
  /** Came to an end, by what the chain said so far: it can still take that back. */
  watched: ['settled', 'lost'],
  /** Anybody's to claim. */
  free: ['released'],
  /** Have an answer that may be handed out. */
  answered: ['settling', 'settled', 'unknown'],
  /** An answer of theirs that went out may be written down: late, it may be after they came to an end. */
  deliverable: ['settling', 'settled', 'released', 'unknown', 'lost', 'found'],
  /** Keep their identifier from being used for another payment. */
  named: ['claimed', 'settling', 'settled', 'unknown'],
  /** Came to an end: their answers are kept for a while only. */
  ended: ['settled', 'released', 'lost'],
  charged: ['settled'],
  lost: ['lost'],
  found: ['found'],
  refundable: ['settled', 'found'],
  /** The chain's word on them is written down: only a later word of the chain changes it. */
  known: ['settled', 'lost'],
} as const satisfies Readonly<Record<string, readonly PaymentState[]>>;
export type PaymentStates = keyof typeof PAYMENT_STATES;

/** Every way from one state to another. There is none back from the chain's word but by a later word of the chain. */
export const PAYMENT_STEPS = {
  /** Free again, or left by a process that is gone before anything was broadcast. */
  claimAgain: { from: ['claimed', 'released'], to: 'claimed' },
  keepAnswer: { from: ['claimed'], to: 'settling' },
  /** The chain has it, whatever was thought before. */
  settle: { from: ['claimed', 'settling', 'released', 'unknown'], to: 'settled' },
  /** The chain has it, from before it was claimed. */
  find: { from: ['claimed', 'settling', 'released', 'unknown'], to: 'found' },
  /** Nothing was broadcast for it: said by its owner, or because its owner is gone. */
  release: { from: ['claimed'], to: 'released' },
  /** The only attempt failed before any node saw it. */
  releaseUnsent: { from: ['settling'], to: 'released' },
  /** The chain says that it was not charged and cannot be any more. */
  releaseUnpaid: { from: ['settling', 'unknown'], to: 'released' },
  /** The same of one whose answer went out. */
  loseUnpaid: { from: ['settling', 'unknown'], to: 'lost' },
  /** Its answer went out, as is written down only after it was released. */
  loseReleased: { from: ['released'], to: 'lost' },
  doubt: { from: ['settling', 'unknown'], to: 'unknown' },
  /** A reorganisation took the charge back for good. */
  lose: { from: ['settled'], to: 'lost' },
  /** And another one brought it back. */
  revive: { from: ['lost'], to: 'settled' },
} as const satisfies Readonly<
  Record<string, { readonly from: readonly PaymentState[]; readonly to: PaymentState }>
>;
export type PaymentStep = keyof typeof PAYMENT_STEPS;
