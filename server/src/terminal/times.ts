import { UNKNOWN } from './formatNumber.ts';

/** 2026-11-16 09:31, in UTC as everything is. */
export function timeText(at: string | number | null | undefined): string {
  const iso = isoOf(at);
  return iso === undefined ? UNKNOWN : iso.slice(0, 16).replace('T', ' ');
}

/** How long ago, in one unit. */
export function ageText(at: string | null | undefined, nowMs: number): string {
  const ms = at === null || at === undefined ? Number.NaN : nowMs - Date.parse(at);
  if (Number.isNaN(ms)) return UNKNOWN;
  return `${spanText(Math.max(0, Math.round(ms / 1000)))} ago`;
}

/** A length of time, in one unit. */
export function spanText(seconds: number | null): string {
  if (seconds === null) return UNKNOWN;
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** Unix seconds or ISO 8601. */
function isoOf(at: string | number | null | undefined): string | undefined {
  if (at === null || at === undefined) return undefined;
  const date = new Date(typeof at === 'number' ? at * 1000 : at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
