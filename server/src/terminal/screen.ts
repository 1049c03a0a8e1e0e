import { createStyle, type Style } from './style.ts';

/** What can be shown where. */
export interface Screen {
  /** Null where lines may be as long as they like: in a file or a pipe. */
  readonly columns: number | null;
  /** Null where nobody scrolls. */
  readonly rows: number | null;
  readonly style: Style;
}

/** As far as a stream tells. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Less than this is no terminal that anybody reads tables on. */
const MIN_COLUMNS = 20;

export function screenOf(
  { isTTY = false, columns, rows }: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
): Screen {
  // Who sets COLUMNS for a pipe, as `watch` does, wants lines of that length.
  const asked = /^[1-9]\d{0,4}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : null;
  const found = (isTTY && columns) || asked;
  return {
    columns: found === null || found === undefined ? null : Math.max(MIN_COLUMNS, found),
    rows: (isTTY && rows) || null,
    style: createStyle(hasColor(isTTY, env)),
  };
}

/** https://no-color.org and https://force-color.org: any text that is not empty counts; `0` and `false` do not force. */
function hasColor(
  isTTY: boolean,
  { NO_COLOR, FORCE_COLOR = '', TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY && TERM !== 'dumb';
}
