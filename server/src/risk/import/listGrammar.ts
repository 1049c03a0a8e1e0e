import { RISK_LIST_NAMES } from '../../domain/risk/riskLists.ts';
import type { Wrong } from './jsonValue.ts';

/**
 * A byte between keys and values. `read`: it is in its place. `key`, `value`: one starts with it; `unseparated`: also, but
 * the comma before it is missing. `empty`: a comma without an entry before it. `envelope`: the list of an envelope starts.
 */
export type Separator =
  | 'read'
  | 'key'
  | 'value'
  | 'unseparated'
  | 'empty'
  | 'envelope'
  | 'no list'
  | Wrong;

/** Follows a list of entries: an array, an object by name, or an array in an envelope. */
export interface ListGrammar {
  /** Takes a byte that is not a space. `at` is its place in the document, `key` the key that was read before it. */
  step(byte: number, at: number, key: string | undefined): Separator;
  keyEnded(): void;
  valueEnded(): void;
  /** Expects an entry, after an error. */
  expectEntry(): void;
  /** What the next byte must be or start. */
  expected(): Expected;
  /** Entries have keys. */
  inObject(): boolean;
  isEnvelope(): boolean;
}

type Expected = 'start' | 'entry' | 'colon' | 'value' | 'after' | 'done';

/** Lists that endpoints wrap in an object. */
const ENVELOPES = new Set<string>(['data', 'peggedAssets', ...RISK_LIST_NAMES]);

export function createListGrammar(): ListGrammar {
  let expected: Expected = 'start';
  let inObject = false;
  let enveloped = false;
  return {
    step,
    keyEnded: () => {
      expected = 'colon';
    },
    valueEnded: () => {
      expected = 'after';
    },
    expectEntry: () => {
      expected = 'entry';
    },
    expected: () => expected,
    inObject: () => inObject,
    isEnvelope: () => enveloped,
  };

  function step(byte: number, at: number, key: string | undefined): Separator {
    const sign = String.fromCharCode(byte);
    switch (expected) {
      case 'start':
        return open(byte, sign, at);
      case 'done':
        return { wrong: 'there is more after the end of the list' };
      case 'colon':
        if (sign !== ':') return { wrong: 'a colon is missing' };
        expected = 'value';
        return 'read';
      case 'value':
        if (sign !== '[' || enveloped || !ENVELOPES.has(key ?? '')) return 'value';
        enveloped = true;
        inObject = false;
        expected = 'entry';
        return 'envelope';
      default:
        return stepEntry(sign);
    }
  }

  function open(byte: number, sign: string, at: number): Separator {
    // A byte order mark.
    if (at < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf)) return 'read';
    inObject = sign === '{';
    if (!inObject && sign !== '[') return 'no list';
    expected = 'entry';
    return 'read';
  }

  function stepEntry(sign: string): Separator {
    if (sign === (inObject ? '}' : ']')) {
      close();
      return 'read';
    }
    if (expected === 'after') {
      if (sign === ',') {
        expected = 'entry';
        return 'read';
      }
      const isStart = sign === (inObject ? '"' : '{');
      return isStart ? 'unseparated' : { wrong: 'a comma is missing' };
    }
    if (sign === ',') return 'empty';
    if (!inObject) return 'value';
    return sign === '"' ? 'key' : { wrong: 'a key is missing' };
  }

  function close(): void {
    // The list ends; what follows in its envelope is of no interest.
    if (enveloped && !inObject) {
      inObject = true;
      expected = 'after';
    } else expected = 'done';
  }
}
