import { tracingChannel } from 'node:diagnostics_channel';

/** One span of a trace. Attributes contain only names and numbers: no SQL, no third-party URLs, no client input. */
export interface TracedWork {
  name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** Read at the start and again at the end of the work. */
  readonly attributes: Record<string, string | number>;
  /** Whether the work counts as failed although it did not throw. */
  failed?: boolean;
  /** W3C traceparent of the caller, from a sender that is trusted. */
  readonly parent?: string | undefined;
}

/** Has a subscriber only while tracing is enabled; see tracing.ts. */
export const TRACE = tracingChannel<unknown, TracedWork>('assay:trace');

export function isTraced(): boolean {
  return TRACE.start.hasSubscribers;
}

/** Runs the work within a span if tracing is enabled. */
export function traced<T>(
  describe: () => TracedWork,
  run: (work?: TracedWork) => Promise<T>,
): Promise<T> {
  if (!isTraced()) return run();
  const work = describe();
  return TRACE.tracePromise(() => run(work), work);
}
