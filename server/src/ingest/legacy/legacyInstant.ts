import type { Seconds } from '../../domain/time.ts';

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** 2015-07-30, the first block of Ethereum: nothing of ours is older. */
const FIRST = 1_438_214_400;
/** As seconds this is the year 5138, as milliseconds 1973: it tells the two apart. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** An instant in ISO 8601, Unix seconds or milliseconds; or why it is none. */
export function readInstant(text: string | null, now: Seconds): Seconds | { message: string } {
  if (text === null || text === '') return { message: 'its time is missing; add it' };
  const quoted = JSON.stringify(text.slice(0, 60));
  const at = /^\d{1,16}(\.\d+)?$/.test(text) ? fromUnix(Number(text)) : fromIso(text);
  if (at === 'no-zone') return { message: `its time ${quoted} has no time zone; add Z for UTC` };
  if (at === undefined) {
    return {
      message: `its time is ${quoted}; write ISO 8601 such as 2024-01-31T12:00:00Z, or Unix seconds`,
    };
  }
  if (at < FIRST) return { message: `its time ${quoted} is before 2015; correct it` };
  if (at > now) return { message: `its time ${quoted} is in the future; correct it` };
  return at;
}

function fromUnix(number: number): Seconds {
  return Math.floor(number >= FIRST_MILLISECONDS ? number / 1000 : number);
}

function fromIso(text: string): Seconds | 'no-zone' | undefined {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year!, month! - 1, day!, hour!, minute!, second!));
  // Date rolls 30 February over into March.
  const real = date.getUTCMonth() === month! - 1 && date.getUTCDate() === day;
  if (!real || hour! > 23 || minute! > 59 || second! > 59) return undefined;
  const zone = match[7];
  if (match[4] !== undefined && zone === undefined) return 'no-zone';
  return date.getTime() / 1000 - offset(zone);
}

/** Seconds east of UTC. */
function offset(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}
