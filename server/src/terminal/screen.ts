import { createStyle, type Style } from './style.ts';

/** The size and style of the output. */
export interface Screen {
  /** Null for a file or a pipe: lines are not limited. */
  readonly columns: number | null;
  /** Null for a file or a pipe. */
  readonly rows: number | null;
  readonly style: Style;
}

/** The properties of a stream that are used. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Minimum width: tables are not readable below it. */
const MIN_COLUMNS = 20;

export function screenOf(
  { isTTY = false, columns, rows }: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
): Screen {
  // `watch` sets COLUMNS for a pipe to limit its lines.
  const requested = /^[1-9]\d{0,4}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : null;
  const found = (isTTY && columns) || requested;
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
