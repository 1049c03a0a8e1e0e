// Made when first used: a format takes a browser as long as a small table.
let moment: Intl.DateTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;

/** In the reader's own time zone. */
export function momentText(ms: number): string {
  moment ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return moment.format(ms);
}

export function dayText(ms: number): string {
  day ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
  return day.format(ms);
}

/** 42 s, 5 min, 3 h, 12 d. */
export function spanText(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 90) return `${s} s`;
  if (s < 5400) return `${Math.round(s / 60)} min`;
  if (s < 172_800) return `${Math.round(s / 3600)} h`;
  return `${Math.round(s / 86_400)} d`;
}

/** Rounded so that a page that is asked again has the same address, and the browser what it had. */
export function startOf(range: number, now: number, step: number): string {
  return new Date(Math.floor((now - range) / step) * step).toISOString();
}
