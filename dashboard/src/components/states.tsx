import { isAssayError } from '@assay/client';
import type { ComponentChildren } from 'preact';
import { cleanText, sentence } from '../format/text.ts';
import { isSilence } from '../state/connection.ts';
import type { Live } from '../state/live.ts';
import { PreviousContext } from './previous.ts';

export interface AwaitProps<T> {
  readonly live: Live<T>;
  readonly children: (data: T) => ComponentChildren;
  readonly lines?: number;
  /** Name of the requested data. With `nameOf`, for cards that replace their data without a new page. */
  readonly wanted?: string;
  readonly nameOf?: (data: T) => string;
}

/** Renders the data, a loading skeleton, or an error. */
export function Await<T>({ live, children, lines = 3, wanted, nameOf }: AwaitProps<T>) {
  const { data, isPrevious, error, loading, retry } = live;
  if (data !== undefined) {
    return (
      <PreviousContext.Provider value={isPrevious}>
        <div class={isPrevious ? 'awaited previous' : 'awaited'} aria-busy={loading}>
          {/* A lost connection is reported once, at the top of the page. */}
          {error !== undefined && !isSilence(error) && (
            <ErrorNotice error={error} onRetry={retry} isOld />
          )}
          {/* Always rendered, so that screen readers announce new text. */}
          <p class="before" role="status">
            {isPrevious &&
              `Loading ${wanted ?? 'new data'}… Still showing ${nameOf?.(data) ?? 'the previous data'}.`}
          </p>
          {children(data)}
        </div>
      </PreviousContext.Provider>
    );
  }
  if (error !== undefined) return <ErrorNotice error={error} onRetry={retry} />;
  return <Skeleton lines={lines} />;
}

export function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="sr">Loading…</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="bone" />
      ))}
    </div>
  );
}

export function ErrorNotice({
  error,
  onRetry,
  isOld = false,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly isOld?: boolean;
}) {
  return (
    <div class="notice bad" role="status">
      <p>
        {cleanText(errorMessage(error), 400)}
        {isOld && ' Showing the last data received.'}
      </p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

export function errorMessage(error: unknown): string {
  if (isAssayError(error, 'problem')) {
    const { status, problem } = error;
    const detail = problem.detail === undefined ? undefined : sentence(problem.detail);
    if (status === 404) return detail === undefined ? 'Not found.' : `Not found: ${detail}`;
    return detail ?? `The server returned HTTP ${status}.`;
  }
  if (isAssayError(error, 'timeout')) return 'The server did not respond in time.';
  if (isAssayError(error, 'network')) return "Can't reach the server.";
  return error instanceof Error ? error.message : 'Something went wrong.';
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function Notice({
  children,
  tone = 'warn',
}: {
  readonly children: ComponentChildren;
  readonly tone?: 'warn' | 'bad' | 'plain';
}) {
  return <div class={`notice ${tone}`}>{children}</div>;
}
