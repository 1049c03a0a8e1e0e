/** Exit codes of commands that read from a server. Programs rely on them: never change the meaning of a number. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  noServer: 3,
  notFound: 4,
  notPaid: 5,
  unknownOutcome: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const READ_EXITS =
  'Exit codes: 0 success, 1 error, 2 invalid usage, 3 no server, 4 not found.';
export const PAID_EXITS = [
  'Exit codes: 0 success, 1 error, 2 invalid usage, 3 no server, 4 not found,',
  '5 not paid, 6 payment status unknown (run again; the same payment is resent).',
].join('\n');
