import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from './states.tsx';

/** A page in the background paints nothing, and is to be there when it is looked at. */
const UNSEEN_MS = 500;

/** What is further down the page: drawn once what is above it has been painted. */
export function Later({ children }: { readonly children: () => ComponentChildren }) {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    const draw = () => setPainted(true);
    let timer = setTimeout(draw, UNSEEN_MS);
    // A frame is painted after what asked for it has run; an effect alone does not wait for a slow one.
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      timer = setTimeout(draw);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted ? children() : <Skeleton lines={10} />;
}
