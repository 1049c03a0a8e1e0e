import { ConfigError } from '../config/problem.ts';
import type { ErrorClass } from './log.ts';
import { UsageError } from './usageError.ts';

export interface Failure {
  /** The lines for standard error; each configuration problem has its own. */
  readonly text: string;
  readonly exitCode: 1 | 2;
}

/**
 * Converts an error to output and an exit code: 2 if the operator must change the command line or the file, else 1.
 * Only the class of a third-party error is shown, because its message may contain secrets.
 */
export function describeFailure(error: unknown, safeErrors: readonly ErrorClass[]): Failure {
  if (error instanceof ConfigError) return { text: error.message, exitCode: 2 };
  if (error instanceof UsageError) return { text: `assay: ${error.message}`, exitCode: 2 };
  const { safeText } = (error ?? {}) as { safeText?: unknown };
  if (typeof safeText === 'string') return { text: `assay: ${safeText}`, exitCode: 1 };
  if (error instanceof Error && safeErrors.some((known) => error instanceof known)) {
    return { text: `assay: ${error.message}`, exitCode: 1 };
  }
  const kind = error instanceof Error ? error.name : typeof error;
  const advice = 'set LOG_LEVEL=debug and run again for details';
  return { text: `assay: unexpected failure (${kind}); ${advice}`, exitCode: 1 };
}
