import { isAssayError } from '@assay/client';
import type { ComponentChildren } from 'preact';
import { cleanText } from '../format/text.ts';
import { isSilence } from '../state/connection.ts';
import type { Live } from '../state/live.ts';

/** What there is, or what there is instead: a shape to wait with, or what went wrong. */
export function Await<T>({
  live,
  children,
  lines = 3,
}: {
  readonly live: Live<T>;
  readonly children: (data: T) => ComponentChildren;
  readonly lines?: number;
}) {
  if (live.data !== undefined) {
    return (
      <div class="awaited" aria-busy={live.loading}>
        {/* That nobody answers is told once, at the top of the page. */}
        {live.error !== undefined && !isSilence(live.error) && (
          <Trouble error={live.error} onRetry={live.retry} isOld />
        )}
        {children(live.data)}
      </div>
    );
  }
  if (live.error !== undefined) return <Trouble error={live.error} onRetry={live.retry} />;
  return <Skeleton lines={lines} />;
}

export function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="sr">loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="bone" />
      ))}
    </div>
  );
}

export function Trouble({
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
        {cleanText(troubleText(error), 400)}
        {isOld && ' What is shown here is what was read before.'}
      </p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

export function troubleText(error: unknown): string {
  if (isAssayError(error, 'problem')) {
    const { status, problem } = error;
    if (status === 404) return `Not found: ${problem.detail ?? 'there is no such thing'}.`;
    return problem.detail ?? `The server answered ${status}.`;
  }
  if (isAssayError(error, 'timeout')) return 'The server did not answer in time.';
  if (isAssayError(error, 'network')) return 'The server does not answer.';
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
