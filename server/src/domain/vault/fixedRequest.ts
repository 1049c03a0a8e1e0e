import { ZERO_ADDRESS } from '../hex.ts';
import type { EventOf, VaultEvent } from './event.ts';
import { type Ratio, worthOf } from './ratio.ts';

/** What a vault reported before a block with requests. */
export interface BlockStart {
  readonly price: Ratio | null;
  readonly total: bigint | null;
  /** By how much the total fell in the block. */
  readonly fallen: bigint | null;
}

export interface PricedRequests {
  /** Whether the requests fixed their payments: the vault deducted them from its total. */
  readonly isFixed: boolean;
  /** The price in force before each event; null if that of the end of the block applies. */
  readonly prices: ReadonlyMap<VaultEvent, Ratio> | null;
}

/** Interest within one block, and rounding, in percent of a request. */
const TOLERANCE = 2n;
/** A smaller request is not conclusive. */
const MIN_UNITS = 1_000n;

/**
 * Values the requests of a block. A vault that fixes the payment at the request converts to less afterwards: each
 * request lowers the price for the next one. Deposits and withdrawals change the total, but not the price.
 */
export function priceRequests(block: readonly VaultEvent[], start: BlockStart): PricedRequests {
  const { price, total, fallen } = start;
  if (price === null) return { isFixed: false, prices: null };
  const prices = new Map<VaultEvent, Ratio>();
  let [requested, paid] = [0n, 0n];
  // The total without requests, and with them.
  let [whole, left] = [total ?? 0n, total ?? 0n];
  for (const event of block) {
    const now = left === whole ? price : lowered(price, left, whole);
    prices.set(event, now);
    const change = changeOf(event, block);
    paid += change;
    whole += change;
    left += change;
    if (!isOwnRequest(event)) continue;
    const assets = worthOf(event.shares, now);
    requested += assets;
    left -= assets;
  }
  const off = fallen === null ? null : fallen + paid - requested;
  const isFixed =
    off !== null &&
    requested >= MIN_UNITS &&
    left > 0n &&
    (off < 0n ? -off : off) * 100n <= requested * TOLERANCE;
  if (isFixed) return { isFixed, prices };
  const isQuiet = block.every(({ kind }) => kind !== 'other' && kind !== 'cancel');
  return { isFixed, prices: isQuiet ? new Map(block.map((event) => [event, price])) : null };
}

function lowered({ assets, shares }: Ratio, left: bigint, whole: bigint): Ratio {
  return whole <= 0n ? { assets, shares } : { assets: assets * left, shares: shares * whole };
}

function isOwnRequest(event: VaultEvent): event is EventOf<'redeem-request'> {
  return event.kind === 'redeem-request' && event.vault === undefined;
}

/** By how much a deposit or a withdrawal changes the total. Claims change it at their settlement or request. */
function changeOf(event: VaultEvent, block: readonly VaultEvent[]): bigint {
  if (event.kind !== 'deposit' && event.kind !== 'withdraw') return 0n;
  if (event.assets === null) return 0n;
  const isDeposit = event.kind === 'deposit';
  const isNow = block.some((one) => {
    if (one.kind !== 'transfer' || one.txHash !== event.txHash) return false;
    if (one.shares !== event.shares) return false;
    return isDeposit
      ? one.from === ZERO_ADDRESS
      : one.to === ZERO_ADDRESS && one.from === event.owner;
  });
  if (!isNow) return 0n;
  return isDeposit ? event.assets : -event.assets;
}
