import { plural } from './text.ts';

// Created on first use: creating a format takes as long as rendering a small table.
let moment: Intl.DateTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;

/** Formats a time in the user's time zone. */
export function momentText(ms: number): string {
  moment ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return moment.format(ms);
}

export function dayText(ms: number): string {
  day ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
  return day.format(ms);
}

/** Formats a duration as 42 s, 5 min, 3 h, or 12 d. */
export function spanText(seconds: number): string {
  const [count, , unit] = spanOf(seconds);
  return `${count} ${unit}`;
}

/** Formats a duration for a sentence: 1 second, 5 minutes, 3 hours, 12 days. */
export function longSpanText(seconds: number): string {
  const [count, unit] = spanOf(seconds);
  return plural(count, unit);
}

function spanOf(seconds: number): [count: number, long: string, short: string] {
  const s = Math.max(0, Math.round(seconds));
  if (s < 90) return [s, 'second', 's'];
  if (s < 5400) return [Math.round(s / 60), 'minute', 'min'];
  if (s < 172_800) return [Math.round(s / 3600), 'hour', 'h'];
  return [Math.round(s / 86_400), 'day', 'd'];
}

/** Rounds the start of a range, so that repeated requests have the same URL and the browser can cache them. */
export function startOf(range: number, now: number, step: number): string {
  return new Date(Math.floor((now - range) / step) * step).toISOString();
}
