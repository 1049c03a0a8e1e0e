import { tracingChannel } from 'node:diagnostics_channel';

/** One piece of work in a trace. Attributes hold names and numbers only: no SQL, no URL of others, no value of a client. */
export interface TracedWork {
  name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** Read when the work begins and again when it ends. */
  readonly attributes: Record<string, string | number>;
  /** Whether the work counts as failed although it did not throw. */
  failed?: boolean;
  /** W3C traceparent of the caller, from a sender that is trusted. */
  readonly parent?: string | undefined;
}

/** Has a subscriber only while tracing is on: see tracing.ts. */
export const TRACE = tracingChannel<unknown, TracedWork>('assay:trace');

export function isTraced(): boolean {
  return TRACE.start.hasSubscribers;
}

/** Runs the work, which appears in traces where these are on. */
export function traced<T>(
  describe: () => TracedWork,
  run: (work?: TracedWork) => Promise<T>,
): Promise<T> {
  if (!isTraced()) return run();
  const work = describe();
  return TRACE.tracePromise(() => run(work), work);
}
