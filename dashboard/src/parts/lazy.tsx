import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton, Trouble } from './states.tsx';

/** A part whose code comes when it is first shown. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  lines = 4,
): ComponentType<Props> {
  let found: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | undefined>(() => found);
    const [error, setError] = useState<unknown>(undefined);
    const fetch = () => {
      setError(undefined);
      load().then((part) => {
        found = part;
        setPart(() => part);
      }, setError);
    };
    useEffect(() => {
      // Another place may have had it loaded since this one was first drawn.
      if (found === undefined) fetch();
      else setPart(() => found);
    }, []);
    if (Part !== undefined) return <Part {...props} />;
    if (error !== undefined) return <Trouble error={error} onRetry={fetch} />;
    return <Skeleton lines={lines} />;
  };
}
