import { DAY, END_OF_TIME } from '../../domain/time.ts';
import type { ParameterReader } from '../parameters.ts';
import type { RouteRequest } from '../route.ts';

/** Unix seconds, both inclusive; ticks are at integer seconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const SECOND = 1_000_000_000n;
const FIRST_YEAR = 1970;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?([Zz]|([+\- ])(\d{2}):?(\d{2}))?$/;

/** Reads `from` and `to` of a request; an absent bound does not limit the range. */
export function readTimeRange(parameters: ParameterReader): TimeRange {
  const from = readInstant(parameters, 'from');
  const to = readInstant(parameters, 'to');
  if (from !== undefined && to !== undefined && from > to) {
    parameters.mistake('from', 'must not be after to');
  }
  return {
    from: from === undefined ? 0 : Math.max(0, Number((from + SECOND - 1n) / SECOND)),
    to: to === undefined ? END_OF_TIME : Number(to / SECOND),
  };
}

/** Reads a range that ends by now and starts `days` before its end by default, at most `maxDays` before it. */
export function readPeriod(
  parameters: ParameterReader,
  { query, now }: RouteRequest,
  { days, maxDays }: { readonly days: number; readonly maxDays: number },
): TimeRange {
  const range = readTimeRange(parameters);
  const to = Math.min(range.to, now);
  const from = query.has('from') ? range.from : to - days * DAY;
  if (from > now) parameters.mistake('from', 'must not be in the future');
  else if (to - from > maxDays * DAY) {
    parameters.mistake('from', `must be at most ${maxDays} days before the end of the period`);
  }
  return { from, to };
}

function readInstant(parameters: ParameterReader, name: 'from' | 'to'): bigint | undefined {
  const text = parameters.text(name);
  if (text === undefined) return undefined;
  const instant = parseInstant(text, name === 'to' ? 'end' : 'start');
  if (typeof instant === 'bigint') return instant;
  parameters.mistake(name, instant.reason);
  return undefined;
}

/** Nanoseconds since 1970, exact: the order of two times must not depend on rounding. */
export function parseInstant(text: string, ofDay: 'start' | 'end'): bigint | { reason: string } {
  const date = DATE.exec(text);
  if (date !== null) {
    const start = startOfDay(date);
    if (typeof start !== 'bigint') return start;
    return ofDay === 'start' ? start : start + 86_399_999n * (SECOND / 1000n);
  }
  const match = DATE_TIME.exec(text);
  if (match === null) {
    return refuse(
      'must be a date (2026-01-31) or a date-time with a zone (2026-01-31T12:00:00Z or …+02:00)',
    );
  }
  const start = startOfDay(match);
  if (typeof start !== 'bigint') return start;
  const [, , , , hour, minute, second = '0', fraction = '', zone, sign, zoneHour, zoneMinute] =
    match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return refuse('has an invalid time: hours go to 23, minutes and seconds to 59');
  }
  if (fraction.length > 9) return refuse('has too many fractional digits: use at most 9');
  if (zone === undefined) return refuse('has no zone: end it with Z or an offset such as +02:00');
  const offset = sign === undefined ? 0 : minutesOf(zoneHour!, zoneMinute!);
  if (offset === undefined) return refuse('has an offset out of range: from -23:59 to +23:59');
  const local = start + BigInt(minutesOf(hour!, minute!)! * 60 + Number(second)) * SECOND;
  const exact = local + BigInt(fraction.padEnd(9, '0'));
  // A plus sign that was not percent-encoded arrives as a space.
  return exact - BigInt((sign === '-' ? -offset : offset) * 60) * SECOND;
}

function startOfDay([, year, month, day]: readonly (string | undefined)[]) {
  if (Number(year) < FIRST_YEAR) return refuse(`has a year out of range: ${FIRST_YEAR} to 9999`);
  const start = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // The calendar would roll an invalid date over into the next month.
  const exists = start.toISOString().startsWith(`${year}-${month}-${day}T`);
  if (!exists) return refuse(`has a date that does not exist: ${year}-${month}-${day}`);
  return BigInt(start.getTime()) * (SECOND / 1000n);
}

function minutesOf(hours: string, minutes: string): number | undefined {
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return Number(hours) * 60 + Number(minutes);
}

function refuse(reason: string): { reason: string } {
  return { reason };
}
