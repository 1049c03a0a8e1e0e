/** One thing that was looked at, in words for the operator. */
export interface CheckLine {
  readonly ok: boolean;
  readonly text: string;
  /** Nothing is wrong for sure, but it should be looked at. */
  readonly warning?: boolean;
}

export function pass(text: string): CheckLine {
  return { ok: true, text };
}

export function warn(key: string, reason: string, fix: string): CheckLine {
  return { ok: true, warning: true, text: `${key}: ${reason}; ${fix}` };
}

/** `key` as in the file; `fix` says what to do. */
export function fail(key: string, reason: string, fix: string): CheckLine {
  return { ok: false, text: `${key}: ${reason}; ${fix}` };
}
