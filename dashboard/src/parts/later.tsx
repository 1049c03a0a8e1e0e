import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from './states.tsx';

/** What is further down the page: drawn once what is above it has been painted. */
export function Later({ children }: { readonly children: () => ComponentChildren }) {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A frame is painted after what asked for it has run; an effect alone does not wait for a slow one.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted ? children() : <Skeleton lines={10} />;
}
