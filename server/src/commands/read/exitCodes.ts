/** How a command that reads a server ends. Programs go by these: a number is never given another meaning. */
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

export const READ_EXITS = 'Exit codes: 0 done, 1 failed, 2 wrong words, 3 no server, 4 not found.';
export const PAID_EXITS = [
  'Exit codes: 0 done, 1 failed, 2 wrong words, 3 no server, 4 not found, 5 not',
  'paid, 6 not known whether it was: run it again, the same payment is sent.',
].join('\n');
