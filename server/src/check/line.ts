/** One thing that was looked at, in words for the operator. */
export interface CheckLine {
  readonly ok: boolean;
  readonly text: string;
}

export function pass(text: string): CheckLine {
  return { ok: true, text };
}

/** `key` as in the file; `fix` says what to do. */
export function fail(key: string, reason: string, fix: string): CheckLine {
  return { ok: false, text: `${key}: ${reason}; ${fix}` };
}
