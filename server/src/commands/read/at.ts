import type { FlagValues } from '../../cli/flags.ts';

export const AT_FLAG = {
  at: { value: 'TIME', text: 'As of a past time: 2026-07-01 or 2026-07-01T12:00:00Z' },
} as const;

/** The parameter of a request; the server checks it. */
export function readAt(flags: FlagValues): { readonly at?: string } {
  const at = flags.get('at');
  return at === undefined ? {} : { at };
}
