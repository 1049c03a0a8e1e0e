import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice, Skeleton } from './states.tsx';

/** Loads a component's code when it is first rendered. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  lines = 4,
): ComponentType<Props> {
  let found: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | undefined>(() => found);
    const [failures, setFailures] = useState(0);
    const fetch = () => {
      load().then(
        (part) => {
          found = part;
          setPart(() => part);
        },
        () => setFailures((count) => count + 1),
      );
    };
    useEffect(() => {
      // Another instance may have loaded it since this one was first rendered.
      if (found === undefined) fetch();
      else setPart(() => found);
    }, []);
    if (Part !== undefined) return <Part {...props} />;
    if (failures > 0) return <Missing isAgain={failures > 1} onRetry={fetch} />;
    return <Skeleton lines={lines} />;
  };
}

/** Replaces the browser's import error. Some browsers do not fetch a failed module again, hence the reload. */
function Missing({ isAgain, onRetry }: { readonly isAgain: boolean; onRetry: () => void }) {
  return (
    <Notice tone="bad">
      <p role="status">
        {isAgain
          ? 'This part of the page still could not be loaded. The server may be offline, or have a new version.'
          : 'This part of the page could not be loaded.'}
      </p>
      {isAgain ? (
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      ) : (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </Notice>
  );
}
