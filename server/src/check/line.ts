/** One result of a check, as text for the operator. */
export interface CheckLine {
  readonly ok: boolean;
  readonly text: string;
  /** Not necessarily wrong, but worth a look. */
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
