import { writeDecimal } from '../decimalText.ts';
import { type AlertKind, unitOf } from './rule.ts';

/** Names of units in the API. */
export const SHOWN_UNITS = ['percent', 'base-units', 'seconds', 'count'] as const;

/** A value as the API shows it: percent with its decimals, everything else as an integer. */
export function presentValue(kind: AlertKind, value: bigint): string {
  return unitOf(kind) === 'ppm' ? writeDecimal({ value, decimals: 4 }) : value.toString();
}

export function presentUnit(kind: AlertKind): (typeof SHOWN_UNITS)[number] {
  const names = {
    ppm: 'percent',
    assets: 'base-units',
    seconds: 'seconds',
    count: 'count',
  } as const;
  return names[unitOf(kind)];
}

/** A transition as the API and the feed show it. */
export function presentTransition(row: {
  readonly id: number;
  readonly name: string;
  readonly kind: AlertKind;
  readonly isFired: boolean;
  readonly at: number;
  readonly value: bigint;
  readonly bound: bigint;
}) {
  const { id, name, kind, isFired, at, value, bound } = row;
  return {
    id: alertId(id),
    name,
    kind,
    status: isFired ? ('fired' as const) : ('cleared' as const),
    at,
    value: presentValue(kind, value),
    bound: presentValue(kind, bound),
    unit: presentUnit(kind),
  };
}

/** Identifies a transition in the API and the feed. */
export function alertId(id: number): string {
  return `alert-${id}`;
}
