/** What an alert watches. */
export const ALERT_KINDS = [
  'share-price-falls',
  'tvl-moves',
  'liquidity-moves',
  'large-deposit',
  'large-exit',
  'queue-above',
  'wait-above',
  'apy-outside',
  'feed-stale',
  'oracle-stale',
  'chain-behind',
  'gap',
  'grade-changed',
  'governance',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Unit of the measured values of a kind: millionths, base units of the asset, seconds, or a number. */
export type AlertUnit = 'ppm' | 'assets' | 'seconds' | 'count';

/** Units in one percent. */
export const PPM_PER_PERCENT = 10_000n;

const UNITS: Readonly<Record<AlertKind, AlertUnit>> = {
  'share-price-falls': 'ppm',
  'tvl-moves': 'ppm',
  'liquidity-moves': 'ppm',
  'large-deposit': 'assets',
  'large-exit': 'assets',
  'queue-above': 'assets',
  'wait-above': 'seconds',
  'apy-outside': 'ppm',
  'feed-stale': 'seconds',
  'oracle-stale': 'seconds',
  'chain-behind': 'seconds',
  gap: 'seconds',
  'grade-changed': 'count',
  governance: 'count',
};

export function unitOf(kind: AlertKind): AlertUnit {
  return UNITS[kind];
}

const BY_CLOCK: ReadonlySet<AlertKind> = new Set([
  'feed-stale',
  'oracle-stale',
  'chain-behind',
  'gap',
  'grade-changed',
]);

/** Whether a kind is measured at the time of the clock. The others are measured at times of blocks, which a reorg can remove. */
export function isByClock(kind: AlertKind): boolean {
  return BY_CLOCK.has(kind);
}

/** Whether a kind has an alert for each chain of a family, not one for all of them. */
export function isPerChain(kind: AlertKind): boolean {
  return kind === 'chain-behind' || kind === 'gap';
}

/** When an alert fires and clears, for one family. Values are integers in the unit of the kind. */
export interface AlertRule {
  readonly name: string;
  readonly kind: AlertKind;
  /** Fires at this value or above. */
  readonly fire: bigint;
  /** Clears at this value or below; less than `fire`. */
  readonly clear: bigint;
  /** Seconds over which changes are measured. */
  readonly within: number;
  /** Seconds after it fired in which it does not fire again. */
  readonly silence: number;
  /** Of `apy-outside`, in ppm; null: no bound on that side. */
  readonly band?: { readonly low: bigint | null; readonly high: bigint | null };
}
