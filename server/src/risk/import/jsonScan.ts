import type { JsonItem, JsonLimits, Place } from './jsonItems.ts';
import { createRecovery } from './jsonRecovery.ts';
import { createValueScan, isSpace } from './jsonValue.ts';
import { createListGrammar } from './listGrammar.ts';
import { createPendingEntry } from './pendingEntry.ts';

export interface ItemScanner {
  push(chunk: Uint8Array): readonly JsonItem[];
  /** Reports what stops the reading before the document's end; nothing is read after it. */
  stop(what: string): readonly JsonItem[];
  end(): readonly JsonItem[];
  /** The list stood in an envelope: plain fields beside it are no entries. */
  isEnvelope(): boolean;
}

const MAX_KEY_BYTES = 1024;
/** Enough to see that the byte at fault was the beginning of the next entry. */
const LOOK_BACK = 64;
/** Pieces in which bytes are searched after a fault. */
const PIECE = 64 * 1024;

type State = 'between' | 'key' | 'value' | 'recover' | 'stopped';

export function createItemScanner(limits: Omit<JsonLimits, 'maxDocumentBytes'>): ItemScanner {
  const scan = createValueScan(limits.maxDepth);
  const recovery = createRecovery();
  const grammar = createListGrammar();
  const entry = createPendingEntry();
  let out: JsonItem[] = [];
  let state: State = 'between';
  let total = 0;

  return { push, stop, end, isEnvelope: grammar.isEnvelope };

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
        const found = recovery.search(chunk.subarray(i), grammar.inObject());
        if (found === undefined) return;
        state = 'between';
        grammar.expectEntry();
        read(found.bytes, found.at);
        return;
      }
      const byte = chunk[i]!;
      if (state === 'key' || state === 'value') {
        const step = scan.step(byte);
        if (step === 'more') continue;
        const end = step === 'end' ? i + 1 : i;
        entry.add(chunk.subarray(from, end));
        if (typeof step === 'object') fail(step.wrong, offset + i);
        else finish(offset + i);
        i = end - 1;
      } else if (!isSpace(byte) && begins(byte, offset + i)) {
        from = i;
        i--;
      }
    }
    if (state === 'key' || state === 'value') entry.add(chunk.slice(from));
  }

  /** Takes a byte between keys and values. Returns whether it is to be read again, as the start of one or as an error. */
  function begins(byte: number, at: number): boolean {
    const isColon = grammar.expected() === 'colon';
    const separator = grammar.step(byte, at, entry.key);
    if (typeof separator === 'object') {
      if (!isColon) entry.startEntry(at);
      entry.startBytes(0);
      fail(separator.wrong, at);
      return true;
    }
    switch (separator) {
      case 'read':
        return false;
      case 'envelope':
        entry.restart();
        return false;
      case 'no list':
        report({ index: 0, at }, 'this is no JSON list or object');
        state = 'stopped';
        return false;
      case 'empty':
        entry.startEntry(at);
        report(entry.takePlace(), 'this entry is empty');
        return false;
      case 'unseparated':
        report({ index: entry.index(), at }, 'a comma is missing before this entry');
        return start(grammar.inObject() ? 'key' : 'value', at);
      default:
        return start(separator, at);
    }
  }

  function start(what: 'key' | 'value', at: number): true {
    if (what === 'key' || !grammar.inObject()) entry.startEntry(at);
    entry.startBytes(what === 'key' ? MAX_KEY_BYTES : limits.maxItemBytes);
    state = what;
    scan.start();
    return true;
  }

  function finish(at: number): void {
    if (state === 'key') {
      const key = entry.parse();
      if (typeof key !== 'string') {
        fail('its key cannot be read', at);
        return;
      }
      entry.key = key;
      grammar.keyEnded();
    } else {
      grammar.valueEnded();
      const item = entry.takeItem();
      const isBesideList = grammar.isEnvelope() && grammar.inObject();
      if (!isBesideList) out.push(item);
      if (!isBesideList && item.kind === 'item') recovery.learn(item.value);
    }
    state = 'between';
  }

  function fail(what: string, at: number): void {
    report({ ...entry.takePlace(), faultAt: at }, what);
    // Never the first byte of the broken entry: each search begins further on than the last.
    const last = entry.takeTail(LOOK_BACK);
    recovery.begin(last, at - last.length);
    state = 'recover';
  }

  function report(place: Place, what: string): void {
    out.push({ kind: 'fault', place, what });
  }

  function stop(what: string): readonly JsonItem[] {
    const isOver = state === 'stopped' || (state === 'between' && grammar.expected() === 'done');
    if (!isOver) report({ index: entry.index(), at: total }, what);
    state = 'stopped';
    return take();
  }

  function end(): readonly JsonItem[] {
    const isEmpty = state === 'between' && grammar.expected() === 'start';
    if (isEmpty) report({ index: 0, at: 0 }, 'the document is empty');
    else if (state === 'value')
      report(entry.takePlace(), 'the document breaks off inside this entry');
    // After a fault nobody knows whether the closing bracket was seen.
    else if (state !== 'recover') return stop('the document breaks off here');
    state = 'stopped';
    return take();
  }

  function take(): readonly JsonItem[] {
    const taken = out;
    out = [];
    return taken;
  }
}
