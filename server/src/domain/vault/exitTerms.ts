/** What a vault's contracts state about exits at one block. Null: they do not state it. */
export interface ExitTerms {
  /** Shares for the requested assets, or a round number of shares without a request. */
  readonly shares: bigint | null;
  readonly paused: boolean | null;
  /** Whether a request is rejected now, paid at once or not. */
  readonly isClosed: boolean;
  readonly withdrawable: Withdrawable;
  /** Whether exits that cannot be paid at once wait. */
  readonly hasQueue: boolean | null;
  readonly fee: ExitFee | null;
  readonly periods: readonly DeclaredPeriod[];
  readonly deposits: DepositLimit | null;
}

/** Assets that can be withdrawn at once, before any exit fee. */
export interface Withdrawable {
  readonly exact: bigint | null;
  readonly atLeast: bigint | null;
}

/** What shares convert to, and what their redemption pays. */
export interface ExitFee {
  readonly gross: bigint;
  readonly net: bigint;
}

export interface DeclaredPeriod {
  readonly name: PeriodName;
  readonly seconds: number;
}

export const PERIOD_NAMES = ['cooldown', 'unstake-window', 'claim-delay', 'timelock'] as const;
export type PeriodName = (typeof PERIOD_NAMES)[number];

/** Assets that an account without permissions can deposit; null: without a limit. */
export interface DepositLimit {
  readonly assets: bigint | null;
}

export const UNKNOWN: Withdrawable = { exact: null, atLeast: null };
export const NONE: Withdrawable = { exact: 0n, atLeast: 0n };

export const OUTCOMES = ['instant', 'partial', 'queued', 'unavailable'] as const;

/** How an exit ends if it is requested now. Null where the contracts do not show it. */
export interface ExitOutcome {
  readonly outcome: (typeof OUTCOMES)[number] | null;
  readonly instant: bigint | null;
  readonly queued: bigint | null;
}

export function outcomeOf(
  { isClosed, withdrawable, hasQueue }: Pick<ExitTerms, 'isClosed' | 'withdrawable' | 'hasQueue'>,
  assets: bigint,
): ExitOutcome {
  const { exact, atLeast } = withdrawable;
  if (isClosed) return { outcome: 'unavailable', instant: 0n, queued: 0n };
  if (atLeast !== null && atLeast >= assets) {
    return { outcome: 'instant', instant: assets, queued: 0n };
  }
  if (exact === null) return { outcome: null, instant: null, queued: null };
  const queued = hasQueue === null ? null : hasQueue ? assets - exact : 0n;
  if (exact > 0n) return { outcome: 'partial', instant: exact, queued };
  const outcome = hasQueue === null ? null : hasQueue ? 'queued' : 'unavailable';
  return { outcome, instant: 0n, queued };
}

/** A holder of shares, and what the vault says that it can withdraw now. */
export interface HolderLimit {
  readonly maxWithdraw: bigint;
  /** What its shares convert to, and what their redemption would pay. */
  readonly gross: bigint;
  readonly net: bigint;
}

/** Limits are often rounded twice. */
const ROUNDING = 2n;

/**
 * The most that one of these holders can withdraw. If the vault limits that holder, no exit can be larger; otherwise more
 * may be there than the holder has.
 */
export function withdrawableBy(holders: readonly HolderLimit[]): Withdrawable {
  const held = holders.filter(({ net }) => net > 0n);
  const [first, ...rest] = held;
  if (first === undefined) return UNKNOWN;
  const best = rest.reduce((most, one) => (one.maxWithdraw > most.maxWithdraw ? one : most), first);
  const { maxWithdraw, gross, net } = best;
  const isLimited = maxWithdraw + ROUNDING < net;
  const assets = isLimited ? (maxWithdraw * gross) / net : gross;
  return { exact: isLimited ? assets : null, atLeast: assets };
}

/** The fee in base units; a difference of one is rounding. */
export function feeOf({ gross, net }: ExitFee): bigint {
  return gross - net > 1n ? gross - net : 0n;
}
