import type { Seconds } from './time.ts';

/** A time zone of the IANA database, with its rules of every year. */
export interface TimeZone {
  /** The first second of a calendar year there. */
  startOfYear(year: number): Seconds;
  /** `2026-01-31 23:55:00` there. */
  textOf(at: Seconds): string;
}

/** Undefined for a name that is not in the database. */
export function openTimeZone(name: string): TimeZone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
  } catch {
    return undefined;
  }

  return {
    startOfYear(year) {
      const wanted = Date.UTC(year, 0, 1) / 1000;
      // The offset of the second that is looked for; the first guess may be on the other side of a change.
      const near = wanted - offsetAt(wanted);
      return wanted - offsetAt(near);
    },
    textOf(at) {
      const { year, month, day, hour, minute, second } = partsOf(at);
      return `${year!.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`;
    },
  };

  function partsOf(at: Seconds): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
    return Object.fromEntries(
      format.formatToParts(at * 1000).map(({ type, value }) => [type, value]),
    );
  }

  function offsetAt(at: Seconds): number {
    const parts = partsOf(at);
    const [year, month, day, hour, minute, second] = [
      ...[parts.year, parts.month, parts.day],
      ...[parts.hour, parts.minute, parts.second],
    ].map(Number) as [number, number, number, number, number, number];
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - at;
  }
}
