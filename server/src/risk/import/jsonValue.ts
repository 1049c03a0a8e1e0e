const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The last significant byte outside of strings. */
type Before = 'start' | 'open' | 'comma' | 'colon' | 'value' | 'word';

export interface ValueScan {
  start(): void;
  /**
   * `end`: the value ends with this byte; `before`: it ended before this byte; a sentence: why this byte is invalid.
   */
  step(byte: number): 'more' | 'end' | 'before' | Wrong;
}

export interface Wrong {
  readonly wrong: string;
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * Follows one JSON value byte by byte, closely enough to notice a missing quote, comma, or bracket where it occurs, not
 * at the end of the document. JSON.parse validates the rest.
 */
export function createValueScan(maxDepth: number): ValueScan {
  const stack = new Uint8Array(maxDepth + 1);
  let depth = 0;
  let inText = false;
  let escaped = false;
  let before: Before = 'start';

  return { start, step };

  function start(): void {
    depth = 0;
    inText = false;
    escaped = false;
    before = 'start';
  }

  function step(byte: number): ReturnType<ValueScan['step']> {
    if (inText) return stepText(byte);
    if (isSpace(byte)) {
      if (before !== 'word') return 'more';
      if (depth === 0) return 'before';
      before = 'value';
      return 'more';
    }
    switch (byte) {
      case QUOTE:
        if (before === 'value' || before === 'word') return wrong('a comma or colon is missing');
        inText = true;
        return 'more';
      case OPEN_OBJECT:
      case OPEN_LIST:
        return open(byte);
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        return close(byte);
      case COMMA:
        if (depth === 0) return before === 'word' ? 'before' : wrong('a value is missing');
        if (before !== 'value' && before !== 'word') return wrong('a value is missing');
        before = 'comma';
        return 'more';
      case COLON:
        if (before !== 'value' || stack[depth] !== OPEN_OBJECT)
          return wrong('a colon is misplaced');
        before = 'colon';
        return 'more';
      default:
        return word(byte);
    }
  }

  function stepText(byte: number): 'more' | 'end' | Wrong {
    if (escaped) escaped = false;
    else if (byte === BACKSLASH) escaped = true;
    else if (byte === QUOTE) {
      inText = false;
      before = 'value';
      return depth === 0 ? 'end' : 'more';
    } else if (byte < 0x20) return wrong('a text is not closed, or holds a raw control character');
    return 'more';
  }

  function open(byte: number): 'more' | Wrong {
    if (before === 'value' || before === 'word') return wrong('a comma is missing');
    const needsKey = depth > 0 && stack[depth] === OPEN_OBJECT && before !== 'colon';
    if (needsKey) return wrong('a key or a closing bracket is missing');
    if (depth === maxDepth) return wrong(`it is nested deeper than ${maxDepth}`);
    depth++;
    stack[depth] = byte;
    before = 'open';
    return 'more';
  }

  function close(byte: number): 'more' | 'end' | 'before' | Wrong {
    if (depth === 0) return before === 'word' ? 'before' : wrong('a value is missing');
    const opened = byte === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_LIST;
    if (stack[depth] !== opened) return wrong('brackets do not match');
    if (before === 'comma' || before === 'colon') return wrong('a value is missing');
    depth--;
    before = 'value';
    return depth === 0 ? 'end' : 'more';
  }

  /** Numbers, true, false, and null. */
  function word(byte: number): 'more' | Wrong {
    const letter = (byte >= 0x61 && byte <= 0x7a) || byte === 0x45;
    const digit = (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
    if ((!letter && !digit) || before === 'value') return wrong('something is not JSON here');
    before = 'word';
    return 'more';
  }

  function wrong(sentence: string): Wrong {
    return { wrong: sentence };
  }
}
