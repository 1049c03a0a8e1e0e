import type { Slot } from './slots.ts';

/** How many transactions go out at once, and those that an RPC endpoint did not take before their turn. */
export interface SendOrder {
  pace(): Pace;
  /** An RPC endpoint rejected it because earlier nonces were missing: it requires them in order. */
  addEarly(slot: Slot): void;
  hasEarly(): boolean;
  /** Removes all of them, in the order of their nonces. */
  takeEarly(): Slot[];
}

/** Maximum number of concurrent requests, and of transactions in each. */
interface Pace {
  readonly requests: number;
  readonly together: number;
}

/** RPC endpoints keep nonces that arrive early until the earlier ones do, so the chain always has some to mine. */
const ABREAST: Pace = { requests: 8, together: 4 };
/** For an RPC endpoint that rejects early nonces. */
const IN_ORDER: Pace = { requests: 1, together: 16 };
/** By then another RPC endpoint may be in use. */
const IN_ORDER_MS = 600_000;

export function createSendOrder(): SendOrder {
  const early: Slot[] = [];
  let inOrderUntil = Number.NEGATIVE_INFINITY;
  return {
    pace: () => (performance.now() < inOrderUntil ? IN_ORDER : ABREAST),
    addEarly(slot) {
      inOrderUntil = performance.now() + IN_ORDER_MS;
      slot.early = true;
      early.push(slot);
      early.sort((a, b) => a.nonce - b.nonce);
    },
    hasEarly: () => early.length > 0,
    takeEarly: () => early.splice(0),
  };
}
