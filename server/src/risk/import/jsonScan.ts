import { RISK_LIST_NAMES } from '../../domain/risk/riskLists.ts';
import type { JsonItem, JsonLimits, Place } from './jsonItems.ts';
import { createRecovery } from './jsonRecovery.ts';
import { createValueScan, isSpace } from './jsonValue.ts';

export interface ItemScanner {
  push(chunk: Uint8Array): readonly JsonItem[];
  /** Reports what stops the reading before the document's end; nothing is read after it. */
  stop(what: string): readonly JsonItem[];
  end(): readonly JsonItem[];
  /** The list stood in an envelope: plain fields beside it are no entries. */
  isEnvelope(): boolean;
}

/** Lists that endpoints wrap in an object. */
const ENVELOPES = new Set<string>(['data', 'peggedAssets', ...RISK_LIST_NAMES]);
const MAX_KEY_BYTES = 1024;
/** Enough to see that the byte at fault was the beginning of the next entry. */
const LOOK_BACK = 64;
/** Pieces in which bytes are searched after a fault. */
const PIECE = 64 * 1024;

type State =
  | 'start'
  | 'entry'
  | 'key'
  | 'colon'
  | 'value'
  | 'item'
  | 'after'
  | 'recover'
  | 'done'
  | 'stopped';

export function createItemScanner(limits: Omit<JsonLimits, 'maxDocumentBytes'>): ItemScanner {
  const scan = createValueScan(limits.maxDepth);
  const recovery = createRecovery();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let out: JsonItem[] = [];
  let state: State = 'start';
  let inObject = false;
  let enveloped = false;
  let total = 0;
  let index = 0;
  let key: string | undefined;
  let startedAt = 0;
  let parts: Uint8Array[] = [];
  let held = 0;

  return { push, stop, end, isEnvelope: () => enveloped };

  function push(chunk: Uint8Array): readonly JsonItem[] {
    for (let i = 0; i < chunk.length; i += PIECE) {
      const piece = chunk.subarray(i, i + PIECE);
      read(piece, total);
      total += piece.length;
    }
    return take();
  }

  function read(chunk: Uint8Array, offset: number): void {
    // Start of the current entry's part of the chunk.
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      if (state === 'stopped') return;
      if (state === 'recover') {
        const found = recovery.search(chunk.subarray(i), inObject);
        if (found === undefined) return;
        state = 'entry';
        read(found.bytes, found.at);
        return;
      }
      const byte = chunk[i]!;
      if (state === 'item' || state === 'key') {
        const step = scan.step(byte);
        if (step === 'more') continue;
        const end = step === 'end' ? i + 1 : i;
        hold(chunk.subarray(from, end));
        if (typeof step === 'object') fail(step.wrong, offset + i);
        else finish(offset + i);
        i = end - 1;
      } else if (!isSpace(byte) && begins(byte, offset + i)) {
        from = i;
        i--;
      }
    }
    if (state === 'item' || state === 'key') hold(chunk.slice(from));
  }

  /** A byte between the entries; true when a key or an entry starts with it. */
  function begins(byte: number, at: number): boolean {
    const sign = String.fromCharCode(byte);
    if (state === 'start') return open(byte, sign, at);
    if (state === 'done') return refuse('there is more after the end of the list', at);
    if (state === 'colon') {
      if (sign !== ':') return refuse('a colon is missing', at);
      state = 'value';
      return false;
    }
    if (state === 'value') {
      if (sign === '[' && !enveloped && ENVELOPES.has(key ?? '')) {
        enveloped = true;
        inObject = false;
        index = 0;
        key = undefined;
        state = 'entry';
        return false;
      }
      return startAt(at, 'item');
    }
    if (sign === (inObject ? '}' : ']')) {
      close();
      return false;
    }
    if (state === 'after') {
      if (sign === ',') {
        state = 'entry';
        return false;
      }
      if (sign !== (inObject ? '"' : '{')) return refuse('a comma is missing', at);
      report({ index, at }, 'a comma is missing before this entry');
    }
    if (sign === ',') {
      report({ index: index++, at }, 'this entry is empty');
      return false;
    }
    if (inObject && sign !== '"') return refuse('a key is missing', at);
    return startAt(at, inObject ? 'key' : 'item');
  }

  function open(byte: number, sign: string, at: number): boolean {
    // A byte order mark.
    if (at < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf)) return false;
    inObject = sign === '{';
    state = inObject || sign === '[' ? 'entry' : 'stopped';
    if (state === 'stopped') report({ index: 0, at }, 'this is no JSON list or object');
    return false;
  }

  function close(): void {
    // The list ends; what follows in its envelope is of no interest.
    if (enveloped && !inObject) {
      inObject = true;
      state = 'after';
    } else state = 'done';
  }

  function startAt(at: number, what: 'item' | 'key'): boolean {
    if (what === 'key' || !inObject) {
      startedAt = at;
      key = undefined;
    }
    state = what;
    parts = [];
    held = 0;
    scan.start();
    return true;
  }

  function hold(part: Uint8Array): void {
    held += part.length;
    if (held > (state === 'key' ? MAX_KEY_BYTES : limits.maxItemBytes)) parts = [];
    else parts.push(part);
  }

  function finish(at: number): void {
    const limit = state === 'key' ? MAX_KEY_BYTES : limits.maxItemBytes;
    const value = held > limit ? undefined : parse();
    if (state === 'key') {
      if (typeof value === 'string') {
        key = value;
        state = 'colon';
      } else fail('its key cannot be read', at);
      return;
    }
    state = 'after';
    const place = takePlace();
    // Beside the list of an envelope.
    if (enveloped && inObject) return;
    if (value !== undefined) {
      recovery.learn(value);
      out.push({ kind: 'item', place, value });
    } else if (held > limit) report(place, `it is over ${limit} bytes`);
    else report(place, 'it is not valid JSON, or not UTF-8');
  }

  function parse(): unknown {
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch {
      return undefined;
    }
  }

  function refuse(what: string, at: number): boolean {
    if (state !== 'colon') startedAt = at;
    parts = [];
    fail(what, at);
    // The byte itself may be the beginning that is looked for: it is read again.
    return true;
  }

  function fail(what: string, at: number): void {
    report({ ...takePlace(), faultAt: at }, what);
    // Never the first byte of the broken entry: each search begins further on than the last.
    const last = Buffer.concat(parts).subarray(1).subarray(-LOOK_BACK);
    recovery.begin(last, at - last.length);
    parts = [];
    state = 'recover';
  }

  function takePlace(): Place {
    const place = { index, at: startedAt, ...(key !== undefined && { key }) };
    index++;
    key = undefined;
    return place;
  }

  function report(place: Place, what: string): void {
    out.push({ kind: 'fault', place, what });
  }

  function stop(what: string): readonly JsonItem[] {
    if (state !== 'done' && state !== 'stopped') report({ index, at: total }, what);
    state = 'stopped';
    return take();
  }

  function end(): readonly JsonItem[] {
    if (state === 'start') report({ index, at: 0 }, 'the document is empty');
    else if (state === 'item') report(takePlace(), 'the document breaks off inside this entry');
    // After a fault nobody knows whether the closing bracket was seen.
    else if (state !== 'recover' && state !== 'done' && state !== 'stopped') {
      report({ index, at: total }, 'the document breaks off here');
    }
    state = 'stopped';
    return take();
  }

  function take(): readonly JsonItem[] {
    const taken = out;
    out = [];
    return taken;
  }
}
