import { cleanText, cleanUrl, mixesScripts } from '../text.ts';
import type { Note } from './item.ts';

/** Reads the fields of an item, whose types are not guaranteed. Unreadable values are noted, and count as unknown. */
export interface Fields {
  has(field: string): boolean;
  text(field: string, maxLength?: number): string | undefined;
  texts(field: string): string[];
  /** Text, with a note if its letters mix scripts. */
  name(field: string): string | undefined;
  symbol(field: string): string | undefined;
  /** A number, or text that is clearly a number. */
  number(field: string): number | undefined;
  /** A number that is not negative. */
  amount(field: string): number | undefined;
  flag(field: string): boolean | undefined;
  /** Unix seconds, from seconds, milliseconds, or a date as text. */
  time(field: string): number | undefined;
  url(field: string): string | undefined;
}

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** 2009-01-03, the day of the first block of any chain. */
const FIRST = 1_230_940_800;
const DAY = 86_400;

export function readFields(item: Record<string, unknown>, now: number, note: Note): Fields {
  return { has, text, texts, name, symbol, number, amount, flag, time, url };

  function at(field: string): unknown {
    return Object.hasOwn(item, field) ? item[field] : undefined;
  }

  function has(field: string): boolean {
    const value = at(field);
    return value !== undefined && value !== null && value !== '';
  }

  function text(field: string, maxLength?: number): string | undefined {
    if (!has(field)) return undefined;
    const value = at(field);
    const raw = typeof value === 'number' ? String(value) : value;
    if (typeof raw !== 'string') return odd(`${field} is not a text`, value);
    const clean = cleanText(raw, maxLength);
    if (clean === undefined) return odd(`${field} holds no name, or is too long`, value);
    if (clean.cleaned) note(`${field} had invisible characters, taken out`, clean.text);
    return clean.text;
  }

  function texts(field: string): string[] {
    const value = at(field);
    const list = Array.isArray(value) ? value : has(field) ? [value] : [];
    return [
      ...new Set(
        list.flatMap((each: unknown) => {
          const clean = typeof each === 'string' ? cleanText(each, 500) : undefined;
          if (clean === undefined && each !== null && each !== '')
            odd(`${field} holds no text`, each);
          return clean === undefined ? [] : [clean.text];
        }),
      ),
    ];
  }

  function name(field: string): string | undefined {
    const found = text(field);
    if (found !== undefined && mixesScripts(found)) {
      note(`${field} mixes letters of several scripts that look alike`, found);
    }
    return found;
  }

  function symbol(field: string): string | undefined {
    const found = text(field);
    return found === '-' ? undefined : found;
  }

  function number(field: string): number | undefined {
    if (!has(field)) return undefined;
    const value = at(field);
    const read = typeof value === 'string' && PLAIN.test(value.trim()) ? Number(value) : value;
    if (typeof read !== 'number' || !Number.isFinite(read)) {
      return odd(`${field} is not a number`, value);
    }
    return read;
  }

  function amount(field: string): number | undefined {
    const read = number(field);
    return read === undefined || read >= 0 ? read : odd(`${field} is below zero`, read);
  }

  function flag(field: string): boolean | undefined {
    if (!has(field)) return undefined;
    const value = at(field);
    if (value === true || value === 'true' || value === 1) return true;
    if (value === false || value === 'false' || value === 0) return false;
    return odd(`${field} is neither true nor false`, value);
  }

  function time(field: string): number | undefined {
    if (!has(field)) return undefined;
    const value = at(field);
    const read =
      typeof value === 'string' && !PLAIN.test(value.trim()) ? dateOf(value) : number(field);
    if (read === undefined) return odd(`${field} is no time`, value);
    const seconds = Math.floor(read > 100_000_000_000 ? read / 1000 : read);
    if (seconds < FIRST || seconds > now + DAY) return odd(`${field} is not in our time`, value);
    return seconds;
  }

  function url(field: string): string | undefined {
    return cleanUrl(at(field));
  }

  function odd(what: string, value: unknown): undefined {
    note(what, shown(value));
    return undefined;
  }
}

function dateOf(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?)?$/.exec(
    text.trim(),
  );
  const ms = match ? Date.parse(`${match[1]}T${match[2] ?? '00:00'}Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, 80);
  return typeof value === 'object'
    ? Array.isArray(value)
      ? 'a list'
      : 'an object'
    : String(value);
}
